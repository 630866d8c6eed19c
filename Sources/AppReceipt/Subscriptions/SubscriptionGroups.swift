/// The products in a receipt between which customers can change, found without knowing the groups in App Store Connect.
struct SubscriptionGroups {
    private(set) var groups: [Set<String>] = []

    init(_ receipt: Receipt) {
        var groupOfLink: [String: Int] = [:]
        var groupOfProduct: [String: Int] = [:]
        var parents: [Int] = []

        func root(_ group: Int) -> Int {
            var group = group
            while parents[group] != group {
                // Halving the path on every walk keeps a receipt made of one long chain from costing time in its square.
                parents[group] = parents[parents[group]]
                group = parents[group]
            }
            return group
        }

        for row in receipt.purchases where row.expirationDate != nil {
            let links = ["t" + row.originalTransactionID] + (row.subscriptionGroupID.map { ["g" + $0] } ?? [])
            let known = (links.map { groupOfLink[$0] } + [groupOfProduct[row.productID]]).compactMap { $0 }.map(root)
            let group = known.min() ?? parents.count
            if known.isEmpty { parents.append(group) }
            for other in known { parents[other] = group }
            for link in links { groupOfLink[link] = group }
            groupOfProduct[row.productID] = group
        }
        groups = Dictionary(grouping: groupOfProduct.keys) { root(groupOfProduct[$0] ?? 0) }.values.map { Set($0) }
    }
}
