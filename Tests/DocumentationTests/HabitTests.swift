import Foundation
import TestHarness
import Testing

#if os(Linux)
    /// What developers who know StoreKit 2 type first. Each line compiles, or the compiler's message names the
    /// declaration of this package.
    @Suite(.bounded, .enabled(if: CompilerRun.hasCompiler)) struct HabitTests {
        private static let habits = #"""
            for await _ in store.updates {}
            for await _ in store.transactions {}
            for await _ in await store.unfinished {}
            for await _ in store.currentEntitlements {}
            for await _ in store.entitlements {}
            _ = try await store.all
            for await _ in store.all {}
            _ = try await store.latest(for: "pro")
            _ = try await store.latestTransaction(for: "pro")
            _ = try await store.currentEntitlement(for: "pro")
            _ = try await store.transactionHistory()
            _ = try await store.status(for: "club")
            _ = try await store.subscriptionStatus(group: "club")
            _ = await store.subscriptionStatus(inGroup: "club")
            try await store.sync()
            _ = try await store.restore()
            for await _ in store.intents {}
            for await _ in store.purchaseIntents {}
            for await _ in store.storefrontUpdates {}
            _ = store.storefront
            for await _ in store.messages {}
            for await _ in store.events {}
            _ = try await store.beginRefundRequest(for: "1")
            _ = try await store.showManageSubscriptions()
            _ = try await store.manageSubscriptions()
            try await store.presentOfferCodeRedeemSheet()
            _ = store.canMakePayments
            _ = try await store.appTransaction()
            _ = try await store.diagnostics()
            _ = try await store.products(for: ["pro"])
            _ = try await store.purchase(product)
            _ = try await store.purchase("pro")
            _ = try await store.purchase(product, options: [.appAccountToken(UUID())])
            _ = try await store.purchase(product, options: [.quantity(2)])
            _ = try await store.purchase(product, options: [.simulatesAskToBuyInSandbox(true)])
            _ = try await store.purchase(product, options: [.winBackOffer(offer)])
            _ = try await store.purchase(product, options: [.promotionalOffer("a", compactJWS: "b")])
            _ = try await store.purchase(product, options: [.introductoryOfferEligibility(compactJWS: "b")])
            _ = try await store.purchase(product, options: [.billingPlanType(.monthly)])
            _ = try await store.isEligibleForIntroOffer(for: "club")
            _ = await store.isEligibleForIntroductoryOffer(inGroup: "club")
            _ = try await product.purchase()
            _ = try await product.purchase(options: [])
            _ = product.type
            _ = product.kind
            _ = product.id
            _ = product.displayName
            _ = product.displayPrice
            _ = product.price
            _ = product.isFamilyShareable
            _ = product.subscription
            _ = product.subscription?.introductoryOffer
            _ = product.subscription?.subscriptionPeriod
            _ = Set<PurchaseOption>()
            _ = product.subscriptionPeriod
            _ = product.introductoryOffer
            _ = await product.isEligibleForIntroOffer
            _ = product.pricingTerms
            _ = await product.latestTransaction
            _ = await product.currentEntitlement
            _ = product.priceFormatStyle
            _ = purchase.id
            _ = purchase.transactionID
            _ = purchase.originalID
            _ = purchase.productID
            _ = purchase.price
            _ = purchase.currency
            _ = purchase.productType
            _ = purchase.offer
            _ = purchase.ownershipType
            _ = purchase.environment
            _ = purchase.reason
            _ = purchase.isUpgraded
            _ = purchase.revocationDate
            _ = purchase.revocationReason
            _ = purchase.expirationDate
            _ = purchase.subscriptionGroupID
            _ = purchase.purchasedQuantity
            _ = purchase.quantity
            _ = purchase.appAccountToken
            _ = purchase.jwsRepresentation
            _ = purchase.signedDate
            await purchase.finish()
            _ = transaction.jwsRepresentation
            _ = transaction.expirationDate
            _ = transaction.revocationDate
            _ = transaction.price
            _ = transaction.productType
            await transaction.finish()
            _ = entitlement.type
            _ = entitlement.willAutoRenew
            _ = entitlement.renewalInfo
            _ = entitlement.renewal?.willAutoRenew
            _ = entitlement.renewal?.currentProductID
            _ = entitlement.renewal?.autoRenewPreference
            _ = entitlement.renewal?.gracePeriodExpirationDate
            _ = entitlement.renewal?.isInBillingRetry
            _ = entitlement.state == .inBillingRetryPeriod
            _ = entitlement.state == .subscribed
            _ = entitlement.revocationDate
            _ = status.state == .inGracePeriod
            _ = status.renewalInfo
            _ = status.transaction
            _ = status.willAutoRenew
            _ = entitlements.subscriptionStatus
            _ = entitlements.contains("pro")
            _ = entitlements.contains(anyOf: ["pro"])
            _ = offer.type
            _ = offer.paymentMode
            _ = offer.period
            _ = offer.displayPrice
            _ = error == .userCancelled
            _ = error.code == .userCancelled
            do { _ = try await store.purchase("pro") } catch StoreError.networkError {}
            do { _ = try await store.purchase("pro") } catch StoreError.Code.networkError {}
            do { _ = try await store.purchase("pro") } catch StoreError.userCancelled {}
            try await message.display(in: anchor)
            try await message.display(in: nil)
            try await store.show(message, in: anchor)
            _ = revocation.productID
            _ = revocation.revocationDate
            """#.split(separator: "\n").map(String.init)

        @Test func `at least 85 of 95 habits compile or are answered with the right name`() async throws {
            let run = try await CompilerRun(lines: Self.habits)
            let silent = run.lines.filter { $0.verdict == .refused }
            #expect(silent.isEmpty, "\(silent.map { "\($0.code): \($0.message)" }.joined(separator: "\n"))")
            #expect(Self.habits.count >= 95)
            #expect(run.lines.filter { $0.verdict == .compiles }.count >= 55)
        }

        @Test func `a name that the package doesn't know is refused without an answer`() async throws {
            let run = try await CompilerRun(lines: [
                "_ = store.canMakePayments", "_ = store.doesNotExist", "_ = product.type",
            ])
            expectEqual(run.lines.map(\.verdict), [.compiles, .refused, .answered])
        }
    }

    /// Type-checks lines of code, each in a function of its own.
    private struct CompilerRun {
        enum Verdict {
            case compiles, answered, refused
        }

        struct Line {
            let code: String
            let verdict: Verdict
            let message: String
        }

        /// Whether there is a Swift compiler in the search path.
        static let hasCompiler: Bool = {
            let process = run(["swiftc", "--version"])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            guard (try? process.run()) != nil else { return false }
            process.waitUntilExit()
            return process.terminationStatus == 0
        }()

        private static func run(_ arguments: [String]) -> Process {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = arguments
            return process
        }

        private static let parameters = """
            _ store: PurchaseStore, _ product: StoreProduct, _ purchase: StorePurchase, _ transaction: StoreTransaction, \
            _ entitlement: StoreEntitlement, _ entitlements: StoreEntitlements, _ status: SubscriptionGroupStatus, \
            _ offer: StoreOffer, _ error: StoreError, _ message: StoreMessage, _ anchor: PresentationAnchor, \
            _ revocation: PurchaseRevocation
            """

        let lines: [Line]

        init(lines codes: [String]) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Habits-\(UUID())")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            var text = "import AppReceipt\nimport AsyncStoreKit\nimport Foundation\n"
            for (index, code) in codes.enumerated() {
                text += "@MainActor func f\(index)(\(Self.parameters)) async throws { \(code) }\n"
            }
            let file = folder.appendingPathComponent("Habits.swift")
            try text.write(to: file, atomically: true, encoding: .utf8)
            // The test bundle is beside the modules.
            let modules = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
                .deletingLastPathComponent().appendingPathComponent("Modules")
            let process = Self.run([
                "swiftc", "-typecheck", "-swift-version", "6", "-diagnostic-style", "llvm", "-I", modules.path,
                file.path,
            ])
            let errors = Pipe()
            process.standardError = errors
            try process.run()
            let output = String(decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            var messages = [Int: [String]]()
            for match in output.matches(of: #/Habits\.swift:(\d+):\d+: error: (.*)/#) {
                messages[(Int(match.1) ?? 0) - 4, default: []].append(String(match.2))
            }
            lines = codes.enumerated().map { index, code in
                let errors = messages[index] ?? []
                let isAnswered = errors.contains { $0.contains("renamed to") || $0.contains("is unavailable: ") }
                return Line(
                    code: code, verdict: errors.isEmpty ? .compiles : isAnswered ? .answered : .refused,
                    message: errors.joined(separator: "; "))
            }
        }
    }
#endif
