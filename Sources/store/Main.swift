import Foundation

@main
enum Main {
    static func main() async {
        reachThisMachineDirectly()
        let code = await StoreCommand.run(Array(CommandLine.arguments.dropFirst()), console: .process())
        exit(code.rawValue)
    }

    /// Keeps a proxy that the environment names (`http_proxy`, as libcurl under URLSession on Linux reads it) away from the
    /// demo's own server. It is done before anything else runs, as setting variables is not safe later.
    private static func reachThisMachineDirectly() {
        let environment = ProcessInfo.processInfo.environment
        let hosts = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard hosts != "*" else { return }
        setenv("no_proxy", hosts.isEmpty ? "127.0.0.1" : "\(hosts),127.0.0.1", 1)
    }
}
