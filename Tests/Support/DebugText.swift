import Foundation

extension Error {
    /// The message for logs of an error that the module of the old API creates.
    package var debugText: String { (self as NSError).userInfo[NSDebugDescriptionErrorKey] as? String ?? "" }
}
