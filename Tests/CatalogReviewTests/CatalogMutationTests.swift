import AppStoreSimulator
import CatalogReview
import Foundation
import TestHarness
import Testing

/// Damages a good configuration file in random places, and compares the findings with what each damage means.
@Suite(.bounded) struct CatalogMutationTests {
    private enum Damage: CaseIterable {
        case removed, emptied, retyped, misspelled, lengthened, withComma, free, doubled
    }

    private struct Mutation {
        let path: [String]
        let damage: Damage

        /// The key, or that of the array that contains an element.
        var key: String { path.last { Int($0) == nil } ?? "" }
        /// The array that contains the object of the key.
        var list: String { path.dropLast().last { Int($0) == nil } ?? "" }
        var isElement: Bool { path.last.flatMap(Int.init) != nil }

        /// Whether App Store Connect, customers or tests of the app would meet the damage.
        var matters: Bool {
            if isElement {
                switch damage {
                case .removed: return Self.products.contains(key) || key == "localizations" && !list.hasSuffix("Groups")
                case .doubled:
                    return Self.products.contains(key) || ["adHocOffers", "winbackOffers", "codeOffers"].contains(key)
                default: return false
                }
            }
            // The prices of a subscription with plans are those of the plans.
            let isPrice =
                key == "displayPrice" && !path.starts(with: Self.yearly) || key == "displayPrice" && path.count > 5
            let isOffer = list.hasSuffix("Offers") || list == "introductoryOffer"
            let isTerm = ["paymentMode", "subscriptionPeriod", "recurringSubscriptionPeriod"].contains(key)
            let isName = ["displayName", "description"].contains(key) || key == "productID"
            let isOfferName = key == "offerID" || key == "referenceName" && list == "codeOffers"
            switch damage {
            case .removed:
                return isPrice || isTerm || isName || isOfferName || ["locale", "major", "id"].contains(key)
                    || Self.products.contains(key) || key == "type" && list == "products"
                    || key == "billingPlanType" && !isOffer
            case .emptied: return isPrice || isTerm || isName || isOfferName || key == "type"
            case .retyped: return isPrice || isTerm || isName || isOfferName || ["locale", "id", "type"].contains(key)
            case .misspelled: return isTerm || key == "productID" || key == "type"
            case .lengthened: return isName || key == "referenceName" && !isOffer
            case .withComma: return isPrice
            case .free: return isPrice
            case .doubled: return false
            }
        }

        /// Whether the damage means nothing.
        var isHarmless: Bool {
            let isMissing = damage == .removed || damage == .emptied || damage == .misspelled
            return isMissing && ["internalID", "identifier", "name"].contains(key)
                || (damage == .removed || damage == .emptied) && key == "subscriptionGroupID"
                || damage == .removed
                    && ["_timeRate", "minor", "numberOfPeriods", "_lastSynchronizedDate"].contains(key)
        }

        private static let products = ["products", "nonRenewingSubscriptions", "subscriptions", "subscriptionGroups"]
        private static let yearly = ["subscriptionGroups", "0", "subscriptions", "0"]
    }

    private static func mutations(of value: Any, at path: [String] = []) -> [Mutation] {
        var damages: [Damage] = path.isEmpty ? [] : [.removed]
        var inner: [Mutation] = []
        switch value {
        case let object as [String: Any]:
            inner = object.sorted { $0.key < $1.key }.flatMap { mutations(of: $1, at: path + [$0]) }
        case let array as [Any]:
            inner = array.enumerated().flatMap { mutations(of: $1, at: path + ["\($0)"]) }
        case let text as String:
            damages += [.emptied, .retyped, .misspelled, .lengthened]
            if text.contains("."), Double(text) != nil { damages += [.withComma, .free] }
        default: break
        }
        if path.last.flatMap(Int.init) != nil { damages.append(.doubled) }
        return damages.map { Mutation(path: path, damage: $0) } + inner
    }

    private static func damaged(_ value: Any, at path: ArraySlice<String>, _ damage: Damage) -> Any {
        guard let step = path.first else { return value }
        if var array = value as? [Any], let index = Int(step), array.indices.contains(index) {
            switch damage {
            case .removed where path.count == 1: array.remove(at: index)
            case .doubled where path.count == 1: array.append(array[index])
            default: array[index] = damaged(array[index], at: path.dropFirst(), damage)
            }
            return array
        }
        guard var object = value as? [String: Any], let member = object[step] else { return value }
        guard path.count == 1 else {
            object[step] = damaged(member, at: path.dropFirst(), damage)
            return object
        }
        let text = member as? String ?? ""
        switch damage {
        case .removed: object[step] = nil
        case .emptied: object[step] = ""
        case .retyped: object[step] = [String: Any]()
        case .misspelled: object[step] = text.prefix(3) + "q" + text.dropFirst(3)
        case .lengthened: object[step] = text + String(repeating: "x", count: 100)
        case .withComma: object[step] = text.replacingOccurrences(of: ".", with: ",")
        case .free: object[step] = "0"
        case .doubled: break
        }
        return object
    }

    @Test func `each of 500 mutations that matters is found`() throws {
        let file = try JSONSerialization.jsonObject(with: Data(ReviewedFile.good.utf8))
        var random = SeededGenerator(seed: 27)
        let mutations = Self.mutations(of: file).shuffled(using: &random).prefix(500)
        expectEqual(mutations.count, 500)
        let used = ReviewedFile.productIDs.map { SourceLiteral(product: $0, file: "App.swift", line: 1) }
        for mutation in mutations {
            let data = try JSONSerialization.data(
                withJSONObject: Self.damaged(file, at: mutation.path[...], mutation.damage))
            // A file without a version isn't a configuration file, and the error says so.
            guard let review = try? CatalogReview(data, path: ReviewedFile.path) else {
                #expect(mutation.matters, "\(mutation) makes the file unreadable")
                continue
            }
            let findings = review.findings(now: ReviewedFile.now) + review.findings(sources: [], listed: used)
            if mutation.matters { #expect(!findings.isEmpty, "\(mutation) isn't found") }
            if mutation.isHarmless { #expect(findings.isEmpty, "\(mutation) is found: \(findings)") }
        }
        #expect(mutations.count(where: \.matters) > 180)
        #expect(mutations.count(where: \.isHarmless) > 40)
    }
}
