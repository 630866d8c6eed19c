import AsyncStoreKitUI
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct PickerLinkTests {
    private let terms = URL(string: "https://example.com/terms/")
    private let privacy = URL(string: "http://www.example.com/privacy?a=b")

    @Test func `a system that opens web pages shows links`() {
        let links = PickerLink.links(termsOfUse: terms, privacyPolicy: privacy, opensPages: true)
        expectEqual(links.map(\.title), ["Terms of Use", "Privacy Policy"])
        expectEqual(links.map(\.url), [terms, privacy])
        expectEqual(links.map(\.address), [nil, nil])
        expectEqual(Set(links.map(\.id)).count, 2)
    }

    @Test func `another system shows addresses to type`() {
        let links = PickerLink.links(termsOfUse: terms, privacyPolicy: privacy, opensPages: false)
        expectEqual(links.map(\.address), ["example.com/terms", "www.example.com/privacy?a=b"])
    }

    @Test func `a page that isn't given has no link`() {
        expectEqual(PickerLink.links(termsOfUse: nil, privacyPolicy: terms, opensPages: false).count, 1)
        expectEqual(PickerLink.links(termsOfUse: nil, privacyPolicy: nil, opensPages: true).count, 0)
    }
}
