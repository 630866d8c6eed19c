import Foundation
import ReceiptTestFixtures
import TestHarness
import Testing

@testable import AppStoreServer

@Suite(.bounded) struct VerifyReceiptFieldTests {
    @Test func `each kind of object finds its fields by each of their names, and no others`() {
        let kinds: [(VerifyReceiptObjects, VerifyReceiptFieldSet)] = [
            (.response, .response), (.application, .application), (.transaction, .transaction),
            (.flatTransaction, .flatTransaction),
            (.renewal, .renewal),
        ]
        for field in VerifyReceiptField.allCases {
            #expect(!field.row.objects.isEmpty && !field.row.names.isEmpty)
            for (name, slot) in zip(field.row.names, VerifyReceiptFieldSet.slots(of: field)) {
                for (kind, set) in kinds {
                    let found = set.slot(named: name.withUTF8Buffer { Array($0) }[...])
                    expectEqual(found, (field.row.objects.contains(kind) ? slot : nil), "\(name)")
                }
            }
        }
        let names = VerifyReceiptField.allCases.flatMap(\.row.names).map { "\($0)" }
        expectEqual(Set(names).count, names.count)
    }
}
