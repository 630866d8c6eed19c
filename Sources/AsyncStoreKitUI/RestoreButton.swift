#if canImport(SwiftUI)
    public import AsyncStoreKit
    public import SwiftUI

    /// A button that restores purchases, which App Review asks for. It is disabled while a restore is running.
    public struct RestoreButton<Label: View>: View {
        private let deliver: ((StorePurchase) async throws -> Void)?
        private let completion: @MainActor (Result<RestoreOutcome, StoreError>) -> Void
        private let label: (Bool) -> Label
        @Environment(\.storeModel) private var model

        /// Makes a button.
        /// - Parameters:
        ///   - deliver: Delivers each purchase. Without one the installed delivery does.
        ///   - completion: Called with what came of it. Many customers have nothing to restore: tell them.
        ///   - label: Made of whether a restore is running.
        public init(
            deliver: ((StorePurchase) async throws -> Void)? = nil,
            completion: @escaping @MainActor (Result<RestoreOutcome, StoreError>) -> Void = { _ in },
            @ViewBuilder label: @escaping (Bool) -> Label
        ) {
            self.deliver = deliver
            self.completion = completion
            self.label = label
        }

        /// The view.
        public var body: some View {
            if let model {
                ModelledRestoreButton(model: model, deliver: deliver, completion: completion, label: label)
            } else {
                Button {
                } label: {
                    label(false)
                }
                .disabled(true)
            }
        }
    }

    private struct ModelledRestoreButton<Label: View>: View {
        @ObservedObject var model: StoreModel
        let deliver: ((StorePurchase) async throws -> Void)?
        let completion: @MainActor (Result<RestoreOutcome, StoreError>) -> Void
        let label: (Bool) -> Label

        var body: some View {
            Button {
                Task { await restore() }
            } label: {
                label(model.isRestoring)
            }
            .disabled(model.isRestoring)
        }

        private func restore() async {
            do throws(StoreError) {
                completion(.success(try await model.restore(deliver: deliver)))
            } catch {
                completion(.failure(error))
            }
        }
    }
#endif
