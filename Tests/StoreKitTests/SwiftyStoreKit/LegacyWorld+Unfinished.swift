import Support
import SwiftyStoreKit

@testable import AsyncStoreKit

extension LegacyWorld {
    /// Notes how many transactions the store holds that are not finished, asked from inside a callback: when it has done everything that
    /// it was told before this, and nothing that it is told when the callback has returned.
    func note(unfinishedOf legacy: LegacyStore, in answers: Answers<Int?>) {
        let reply = Reply<StoreDiagnostics> { result in
            answers.completion()(try? result.get().held.count)
        }
        legacy.store.core.enqueue(reply) { .diagnostics($0) }
    }
}
