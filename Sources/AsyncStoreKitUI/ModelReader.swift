#if canImport(SwiftUI)
    import SwiftUI
    import os

    /// Observes the model of the environment for a view of this module. Without a model, it warns the developer.
    struct ModelReader<Content: View, Fallback: View>: View {
        /// The name of the view, for the warning.
        let view: String
        @ViewBuilder let content: @MainActor (StoreModel) -> Content
        @ViewBuilder let fallback: @MainActor () -> Fallback
        @Environment(\.currentStoreModel) private var model

        var body: some View {
            if let model {
                ObservedModel(model: model, content: content)
            } else {
                fallback().developerWarning(MissingModel.warning(for: view))
            }
        }
    }

    private struct ObservedModel<Content: View>: View {
        @ObservedObject var model: StoreModel
        let content: @MainActor (StoreModel) -> Content

        var body: some View { content(model) }
    }

    extension View {
        /// Logs a fault when the view appears, and shows the text in a debug build; `nil` does nothing.
        @ViewBuilder func developerWarning(_ warning: String?) -> some View {
            if let warning {
                VStack(spacing: 4) {
                    self
                    DeveloperNote(text: warning)
                }
                .task(id: warning) {
                    Logger(subsystem: "AsyncStoreKit", category: "SwiftUI").fault("\(warning, privacy: .public)")
                }
            } else {
                self
            }
        }
    }
#endif
