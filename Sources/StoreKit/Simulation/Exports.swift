// Apple's StoreKit re-exports Foundation: a file that imports StoreKit needs no other import for `Date` and `Decimal`.
@_exported public import Foundation
