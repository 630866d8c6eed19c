package import SwiftyStoreKit

extension LegacyStore {
    /// Installs the closure for unsolicited transactions, and returns its batches.
    package func listening(atomically: Bool = true) -> Answers<[Purchase]> {
        let answers = Answers<[Purchase]>()
        completeTransactions(atomically: atomically, completion: answers.completion())
        return answers
    }

    /// Starts a restore, and returns its answers.
    package func restoring(atomically: Bool = true, applicationUsername: String = "") -> Answers<RestoreResults> {
        let answers = Answers<RestoreResults>()
        restorePurchases(
            atomically: atomically, applicationUsername: applicationUsername, completion: answers.completion())
        return answers
    }
}
