#if canImport(SwiftUI) && !os(watchOS)
    import SwiftUI

    /// The checks of the article *Not yet verified on devices*, by risk.
    struct ChecklistView: View {
        @ObservedObject var shop: DeviceShop

        var body: some View {
            List {
                Section { ChecklistExport(report: ChecklistReport(run: shop.run)) }
                ForEach(ChecklistSection.all, id: \.number) { section in
                    Section {
                        ForEach(section.checks, id: \.name) { check in
                            NavigationLink {
                                ChecklistCheckView(shop: shop, check: check)
                            } label: {
                                VStack(alignment: .leading) {
                                    Text(check.name)
                                    Text(shop.run[check].result.rawValue).font(.caption).foregroundColor(.secondary)
                                }
                            }
                        }
                    } header: {
                        Text("\(section.number). \(section.title)")
                    }
                }
            }
        }
    }

    /// The steps of one check, and the events that the app has seen.
    private struct ChecklistCheckView: View {
        @ObservedObject var shop: DeviceShop
        let check: ChecklistCheck

        var body: some View {
            List {
                Section {
                    Text(check.steps)
                } header: {
                    Text("Steps")
                }
                Section {
                    Text(check.expected)
                } header: {
                    Text("Expected result")
                }
                Section {
                    Button(check.action == nil ? "Begin" : "Begin, and let the app make its calls") {
                        shop.begin(check)
                    }
                    Button("As expected") { shop.mark(check, .asExpected) }
                    Button("Differs") { shop.mark(check, .differs) }
                } header: {
                    Text("Result: \(shop.run[check].result.rawValue)")
                }
                Section {
                    ForEach(Array(shop.run[check].observations.enumerated()), id: \.offset) { observation in
                        Text("\(observation.element.signal.rawValue), after \(observation.element.seconds) s")
                    }
                } header: {
                    Text("Events")
                }
            }
        }
    }
#endif
