import Foundation

@main
enum Main {
    static func main() async {
        bypassProxyForLocalhost()
        let code = await StoreCommand.run(Array(CommandLine.arguments.dropFirst()), console: .process())
        exit(code.rawValue)
    }

    /// Makes requests to the server of the demo bypass a proxy. URLSession on Linux reads `http_proxy` through libcurl.
    ///
    /// This must run first: setting variables isn't safe once there are other threads.
    private static func bypassProxyForLocalhost() {
        let environment = ProcessInfo.processInfo.environment
        let hosts = environment["no_proxy"] ?? environment["NO_PROXY"] ?? ""
        guard hosts != "*" else { return }
        setenv("no_proxy", hosts.isEmpty ? "127.0.0.1" : "\(hosts),127.0.0.1", 1)
    }
}
