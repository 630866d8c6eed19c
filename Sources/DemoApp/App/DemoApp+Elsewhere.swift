#if !canImport(SwiftUI) || os(watchOS)
    import Foundation

    /// The sample app is for iPhone, iPad, Mac, Apple TV and Apple Vision. On other platforms, the program prints how
    /// to run the demo in a terminal.
    @main enum DemoApp {
        static func main() {
            print("DemoApp needs SwiftUI. On this platform, run `swift run store demo` for a demo in the terminal.")
            exit(EXIT_FAILURE)
        }
    }
#endif
