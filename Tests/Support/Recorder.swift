import AsyncStoreKitTesting

/// Keeps what it is given, and lets a test wait for it.
package final class Recorder<Element: Sendable>: Sendable {
    private let state = Monitor<[Element]>([])

    package init() {}

    package var elements: [Element] { state.value }

    package func record(_ element: Element) {
        state.update { $0.append(element) }
    }

    /// Returns the first elements, as soon as there are so many.
    package func first(_ count: Int) async throws -> [Element] {
        try await state.wait(for: "\(count) recorded \(Element.self)") { $0.count >= count ? Array($0.prefix(count)) : nil }
    }

    /// Returns the first element that fits, as soon as there is one.
    package func first(where fits: @escaping @Sendable (Element) -> Bool) async throws -> Element {
        try await state.wait(for: "a certain \(Element.self) to be recorded") { $0.first(where: fits) }
    }
}
