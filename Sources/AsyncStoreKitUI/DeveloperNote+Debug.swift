#if canImport(SwiftUI) && DEBUG
    import SwiftUI

    /// A warning for the developer, on the screen of a debug build.
    struct DeveloperNote: View {
        let text: String

        var body: some View {
            Text(verbatim: text)
                .font(.caption)
                .multilineTextAlignment(.leading)
                .padding(6)
                .foregroundColor(.black)
                .background(Color.yellow)
        }
    }
#endif
