import AppReceipt
import Foundation

/// The line of every value in a JSON text, by key path.
struct JSONLines {
    private var lines: [String: Int] = [:]
    private var position = 0
    private var line = 1

    init(_ data: Data) {
        guard let tape = try? JSONTape(data, limits: .generous) else { return }
        record(0, at: "", in: tape)
    }

    /// Returns the line of a value, or of the innermost object that lacks it.
    func line(of keyPath: String) -> Int {
        var path = keyPath[...]
        while true {
            if let line = lines[String(path)] { return line }
            guard let end = path.lastIndex(where: { $0 == "." || $0 == "[" }) else { return lines[""] ?? 1 }
            path = path[..<end]
        }
    }

    /// Records a value and its contents, in the order of the text.
    private mutating func record(_ index: Int, at path: String, in tape: JSONTape) {
        let node = tape.node(index)
        let offset = tape.offset(node)
        line += tape.bytes[position..<offset].count { $0 == UInt8(ascii: "\n") }
        position = offset
        lines[path] = line
        switch node.kind {
        case .object:
            for name in tape.names(of: index) {
                let key = tape.string(tape.node(name))
                record(name + 1, at: path.isEmpty ? key : "\(path).\(key)", in: tape)
            }
        case .array:
            for (number, element) in tape.elements(of: index).enumerated() {
                record(element, at: "\(path)[\(number)]", in: tape)
            }
        default: break
        }
    }
}
