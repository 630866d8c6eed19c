#if os(tvOS)
    import SwiftUI

    /// Buttons that print the report to Xcode's console, because an Apple TV has no files.
    struct ChecklistExport: View {
        let report: ChecklistReport

        var body: some View {
            Button("Print the report as Markdown in Xcode") { print(report.markdown) }
            Button("Print the report as JSON in Xcode") {
                guard let data = try? report.json() else { return }
                print(String(decoding: data, as: UTF8.self))
            }
        }
    }
#endif
