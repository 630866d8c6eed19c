#if os(tvOS)
    import SwiftUI

    /// The address of a page. It takes the focus, so that customers can scroll to it with the remote.
    struct PickerLinkView: View {
        static let opensPages = false

        let link: PickerLink

        var body: some View { PickerAddress(link: link).focusable() }
    }
#elseif os(watchOS)
    import SwiftUI

    /// The address of a page.
    struct PickerLinkView: View {
        static let opensPages = false

        let link: PickerLink

        var body: some View { PickerAddress(link: link) }
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
