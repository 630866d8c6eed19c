#if !os(macOS)
    import Foundation

    /// The example is for the Mac. What it shows can be read, and played in a terminal, everywhere.
    @main enum DemoApp {
        static func main() {
            print("DemoApp is an app for the Mac. Here, `swift run store demo` plays the same App Store in a terminal.")
            exit(EXIT_FAILURE)
        }
    }
#endif
