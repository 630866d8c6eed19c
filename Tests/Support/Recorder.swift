import AsyncStoreKitTesting

/// Records elements that a test can wait for.
package final class Recorder<Element: Sendable>: Sendable {
    private let state = Monitor<[Element]>([])

    package init() {}

    package var elements: [Element] { state.value }

    package func record(_ element: Element) {
        state.update { $0.append(element) }
    }

    /// Waits for a number of elements and returns them.
    package func first(_ count: Int) async throws -> [Element] {
        try await state.wait(for: "\(count) recorded \(Element.self)") {
            $0.count >= count ? Array($0.prefix(count)) : nil
        }
    }

    /// Waits for the first matching element and returns it.
    package func first(where fits: @escaping @Sendable (Element) -> Bool) async throws -> Element {
        try await state.wait(for: "a certain \(Element.self) to be recorded") { $0.first(where: fits) }
    }
}
