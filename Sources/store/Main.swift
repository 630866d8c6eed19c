import Foundation

@main
enum Main {
    static func main() async {
        let code = await StoreCommand.run(Array(CommandLine.arguments.dropFirst()), console: .process())
        exit(code.rawValue)
    }
}
