extension ChecklistSection {
    static let platforms = ChecklistSection(
        number: 6, title: "Platforms that were never compiled",
        checks: [
            ChecklistCheck(
                "visionOS and watchOS",
                steps:
                    "xcodebuild build -scheme AsyncStoreKit -destination generic/platform=visionOS, and the same for watchOS",
                expected: "No warnings"),
            ChecklistCheck(
                "Mac Catalyst",
                steps: "The same, with generic/platform=macOS,variant=Mac Catalyst",
                expected: "No warnings"),
            ChecklistCheck(
                "Speed",
                steps: "swift run -c release Benchmarks on a Mac",
                expected: "Figures like those in Performance, which are from a Linux server"),
        ])
}
