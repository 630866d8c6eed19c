/// How many elements the collections inside a value have, at any depth: a measure of what the value still remembers.
package func remembered(by value: Any) -> Int {
    let mirror = Mirror(reflecting: value)
    let inside = mirror.children.reduce(0) { $0 + remembered(by: $1.value) }
    switch mirror.displayStyle {
    case .collection, .set, .dictionary: return mirror.children.count + inside
    default: return inside
    }
}
