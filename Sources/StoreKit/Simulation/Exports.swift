// Apple's StoreKit re-exports Foundation: a file that imports StoreKit can use `Date` and `Decimal`.
@_exported public import Foundation
