import AsyncStoreKit
import Foundation
import TestHarness
import Testing

@Suite(.bounded) struct ProductIdentifiersTests {
    private func read(_ name: String, _ data: Data?) throws -> Result<ProductIdentifiers, StoreError> {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent(name)
        try data?.write(to: file)
        return Result { () throws(StoreError) in try ProductIdentifiers(contentsOf: file) }
    }

    private func read(_ name: String, _ text: String) throws -> Result<ProductIdentifiers, StoreError> {
        try read(name, Data(text.utf8))
    }

    /// Returns the problem in the message.
    private func complaint(_ name: String, _ data: Data?) throws -> String {
        guard case .failure(let error) = try read(name, data) else { return "nothing" }
        expectEqual(error.code, .invalidProductIDs)
        let start = "The product identifiers in \"\(name)\" cannot be used: "
        #expect(error.message.hasPrefix(start) && error.message.hasSuffix("."))
        return String(error.message.dropFirst(start.count).dropLast())
    }

    private func propertyList(_ value: Any, _ format: PropertyListSerialization.PropertyListFormat = .xml) throws
        -> Data
    {
        try PropertyListSerialization.data(fromPropertyList: value, format: format, options: 0)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary], ["ProductIds.plist", "ProductIds"])
    func `a property list holds an array`(format: PropertyListSerialization.PropertyListFormat, name: String) throws {
        let identifiers = try read(name, propertyList(["com.example.b", "com.example.a"], format)).get()
        expectEqual(identifiers.all, ["com.example.a", "com.example.b"])
        expectEqual(identifiers.groups, ["": ["com.example.b", "com.example.a"]], "in the file's order")
        #expect(identifiers.duplicates.isEmpty)
    }

    @Test func `a property list holds a dictionary of arrays`() throws {
        let identifiers = try read("a.plist", propertyList(["coins": ["c1", "c2"], "pro": ["p"]])).get()
        expectEqual(identifiers.all, ["c1", "c2", "p"])
        #expect(identifiers["coins"] == ["c1", "c2"] && identifiers["pro"] == ["p"] && identifiers["none"].isEmpty)
    }

    @Test(arguments: ["a.json", "A.JSON", "a", "a.txt"]) func `JSON holds the same`(name: String) throws {
        expectEqual(try read(name, " \n[\"b\",\"a\"]").get().groups, ["": ["b", "a"]])
        let identifiers = try read(name, "{\"coins\":[\"c1\",\"c2\"],\"pro\":[\"p\",\"c1\"]}").get()
        expectEqual(identifiers.all, ["c1", "c2", "p"])
        #expect(identifiers.duplicates.isEmpty, "one identifier may be in several groups")
    }

    @Test func `an identifier that an array repeats counts once, and is a duplicate`() throws {
        let identifiers = try read("a.json", "{\"x\":[\"b\",\"a\",\"b\",\"b\"],\"y\":[\"c\",\"c\"]}").get()
        expectEqual(identifiers.groups, ["x": ["b", "a"], "y": ["c"]])
        expectEqual(identifiers.duplicates, ["b", "c"])
    }

    @Test(arguments: [
        ("[]", "it is empty"), ("{}", "it is empty"), ("{\"a\":[]}", "\"a\": it is empty"), ("", "it is empty"),
        ("{\"a\":[\"x\"],\"b\":\"y\"}", "\"b\": it is not an array"), ("{\"a\":null}", "\"a\": it is not an array"),
        ("{\"a\":{\"b\":[\"x\"]}}", "\"a\": it is not an array"), ("[\"x\",1]", "element 1 is not a string"),
        ("[\"x\",true]", "element 1 is not a string"), ("[null]", "element 0 is not a string"),
        ("[[\"x\"]]", "element 0 is not a string"),
        ("{\"a\":[\"x\",\"\"]}", "\"a\": element 1 is empty"), ("[\" x\"]", "element 0 contains white space: \" x\""),
        ("[\"x\\n\"]", "element 0 contains white space: \"x\\n\""),
        ("\"x\"", "it holds neither an array nor a dictionary of arrays"),
        ("7", "it holds neither an array nor a dictionary of arrays"),
        ("null", "it holds neither an array nor a dictionary of arrays"),
        ("[\"x\"", "it is not a well-formed JSON document"), ("{\"b\":7,\"a\":7}", "\"a\": it is not an array"),
    ])
    func `the error for invalid JSON names the place`(text: String, complaint expected: String) throws {
        expectEqual(try complaint("a.json", Data(text.utf8)), expected)
    }

    @Test func `the error for an invalid property list names the place`() throws {
        expectEqual(try complaint("a.plist", propertyList(["x", 7] as [Any])), "element 1 is not a string")
        expectEqual(
            try complaint("a.plist", propertyList(["k": ["x"], "l": Date(timeIntervalSince1970: 0)] as [String: Any])),
            "\"l\": it is not an array")
        expectEqual(try complaint("a.plist", propertyList([String]())), "it is empty")
        expectEqual(try complaint("a.plist", Data("<plist><array>".utf8)), "it is not a well-formed property list")
        expectEqual(try complaint("a.plist", Data([0xFF, 0xFE, 0x00])), "it is not a well-formed property list")
    }

    @Test func `the error for a missing file, a folder, or another URL names the problem`() throws {
        expectEqual(try complaint("a.plist", nil), "it cannot be read")
        for text in ["https://example.com/a.json", "file:///"] {
            let url = try #require(URL(string: text))
            let error = #expect(throws: StoreError.self) { try ProductIdentifiers(contentsOf: url) }
            expectEqual(error?.code, .invalidProductIDs)
        }
        let missing = try read("a.json", nil)
        guard case .failure(let error) = missing else {
            Issue.record("The file was read.")
            return
        }
        #expect(error.underlying != nil, "the system's reason is kept")
    }

    @Test func `a file has a maximum length`() throws {
        let limit = ProductIdentifiers.maximumSize
        let longest = "[\"" + String(repeating: "x", count: limit - 4) + "\"]"
        expectEqual(try read("a.json", longest).get().all.first?.count, limit - 4)
        expectEqual(try complaint("a.json", Data((longest + " ").utf8)), "it is longer than \(limit) bytes")
    }
}
