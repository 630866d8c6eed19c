#if !os(macOS)
    import Foundation

    /// The example is a Mac app. On other platforms, the program prints how to run the demo in a terminal.
    @main enum DemoApp {
        static func main() {
            print("DemoApp is a Mac app. On this platform, run `swift run store demo` for a demo in the terminal.")
            exit(EXIT_FAILURE)
        }
    }
#endif
