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
        func developerWarning(_ warning: String?) -> some View {
            VStack(spacing: 4) {
                self
                if let warning { DeveloperNote(text: warning) }
            }
            .task(id: warning) {
                guard let warning else { return }
                Logger(subsystem: "AsyncStoreKit", category: "SwiftUI").fault("\(warning, privacy: .public)")
            }
        }
    }
#endif
