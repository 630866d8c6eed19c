import AsyncStoreKit
package import Foundation

/// A link below a paywall, or an address to type on a system that opens no web pages.
package struct PickerLink: Sendable, Hashable, Identifiable {
    package let title: String
    package let url: URL
    /// The address without its scheme, on a system that opens no web pages; otherwise `nil`.
    package let address: String?

    package var id: String { title }

    /// Returns the links to some pages.
    /// - Parameter opensPages: Whether the system opens web pages.
    package static func links(
        termsOfUse: URL?, privacyPolicy: URL?, opensPages: Bool
    ) -> [PickerLink] {
        let texts = CustomerTexts.current
        let pages = [(texts.text(.linkTermsOfUse), termsOfUse), (texts.text(.linkPrivacyPolicy), privacyPolicy)]
        return pages.compactMap { title, url in
            url.map { url in
                let address = url.absoluteString.replacingOccurrences(
                    of: #"^https?://|/$"#, with: "", options: .regularExpression)
                return PickerLink(title: title, url: url, address: opensPages ? nil : address)
            }
        }
    }
}
