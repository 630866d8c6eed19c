import AppStoreSimulator
import AsyncStoreKit
import AsyncStoreKitTesting
import Foundation
import Support
import TestHarness
import Testing

/// The code of the article Share entitlements with widgets and extensions.
private struct ProWidget {
    struct Entry: Equatable {
        let date: Date
        let isPro: Bool
    }

    struct Timeline {
        let entries: [Entry]
    }

    let reader: EntitlementReader

    func timeline(at now: Date) -> Timeline {
        let entitlements = reader.entitlements(at: now)
        var entries = [Entry(date: now, isPro: entitlements.contains("pro"))]
        if let end = entitlements.nextChange {
            entries.append(Entry(date: end, isPro: reader.entitlements(at: end).contains("pro")))
        }
        return Timeline(entries: entries)
    }

    static func deviceReader() -> EntitlementReader {
        let reader = EntitlementReader(EntitlementFile(appGroup: "group.com.example.app"), app: "com.example.app")
        return reader
    }
}

private struct WidgetApp {
    let reloads = Recorder<Bool>()

    func deviceStore() -> PurchaseStore {
        let store = PurchaseStore(
            configuration: StoreConfiguration(entitlementCache: EntitlementFile(appGroup: "group.com.example.app")))
        return store
    }

    func follow(_ store: PurchaseStore) async {
        for await _ in store.entitlements.cacheSaves { reloadWidgets() }
    }

    private func reloadWidgets() { reloads.record(true) }
}

@Suite(.bounded) struct SharingEntitlementsExampleTests {
    @Test func `a widget is reloaded when the file was saved, and locks itself at the end of the period`() async throws
    {
        let file = EntitlementFile(
            url: FileManager.default.temporaryDirectory.appendingPathComponent("Widget-\(UUID())"))
        defer { try? FileManager.default.removeItem(at: file.url) }
        let appStore = SimulatedAppStore(products: [.autoRenewable("pro", price: 3, period: .month(1), group: "club")])
        let store = PurchaseStore(simulating: appStore, configuration: StoreConfiguration(entitlementCache: file))
        let app = WidgetApp()
        let following = Task { await app.follow(store) }
        defer { following.cancel() }
        let reader = EntitlementReader(file, simulating: appStore)
        let widget = ProWidget(reader: reader)
        #expect(widget.timeline(at: appStore.now).entries == [ProWidget.Entry(date: appStore.now, isPro: false)])
        try await store.purchase("pro") { _ in }
        await store.entitlements.refresh()
        try await store.settled()
        _ = try await app.reloads.first(1)
        let end = try #require(reader.entitlements(at: appStore.now)["pro"]?.accessEndDate)
        let entries = widget.timeline(at: appStore.now).entries
        #expect(
            entries == [ProWidget.Entry(date: appStore.now, isPro: true), ProWidget.Entry(date: end, isPro: false)])
    }

    @Test func `the app and its extension use the file of the group`() {
        // The first store of the process decides which file is used, and another test may have created it.
        #expect(WidgetApp().deviceStore().core === PurchaseStore().core)
        #expect(ProWidget.deviceReader().entitlements().basis != .confirmed)
    }
}
