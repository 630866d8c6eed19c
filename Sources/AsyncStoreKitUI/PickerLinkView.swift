#if os(tvOS) || os(watchOS)
    import SwiftUI

    /// The address of a page: these systems open no web pages.
    struct PickerLinkView: View {
        static let opensPages = false

        let link: PickerLink

        var body: some View {
            VStack(spacing: 2) {
                Text(verbatim: link.title)
                Text(verbatim: link.address ?? "")
            }
            .multilineTextAlignment(.center)
            .accessibilityElement(children: .combine)
        }
    }
#elseif canImport(SwiftUI)
    import SwiftUI

    /// A link to a page.
    struct PickerLinkView: View {
        static let opensPages = true

        let link: PickerLink

        var body: some View {
            Link(destination: link.url) { Text(verbatim: link.title) }
        }
    }
#endif
