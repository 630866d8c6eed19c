#if os(tvOS) || os(watchOS)
    import SwiftUI

    /// The address of a page, for customers to type elsewhere: these systems open no web pages.
    struct PickerAddress: View {
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
#endif
