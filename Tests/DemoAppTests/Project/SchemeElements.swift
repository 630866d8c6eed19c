import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// The elements of a scheme, with their attributes.
final class SchemeElements: NSObject, XMLParserDelegate {
    private var elements: [(name: String, attributes: [String: String])] = []
    private var hasMistake = false

    /// Reads a scheme; `nil` if it isn't XML.
    init?(_ text: String) {
        super.init()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = self
        guard parser.parse(), !hasMistake else { return nil }
    }

    func attributes(of name: String) -> [[String: String]] { elements.filter { $0.name == name }.map(\.attributes) }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append((name, attributes))
    }

    // The parser of Linux continues after a mistake.
    func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
        hasMistake = true
    }
}
