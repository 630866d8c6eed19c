import AsyncStoreKit
import AsyncStoreKitUI

/// A picture of views in SVG, drawn from the state that the views show. It's labeled as a drawing.
struct Drawing {
    private enum Color: String {
        case ground = "#f2f2f7"
        case card = "#ffffff"
        case text = "#1c1c1e"
        case quiet = "#6c6c70"
        case accent = "#0066cc"
        case line = "#c6c6c8"
    }

    private let title: String
    private let columns: Int
    private var elements: [String] = []
    private var column = 0
    /// Where the next element of each column begins.
    private var heights: [Int]

    private static let width = 340
    private static let margin = 20

    init(_ title: String, columns: Int = 1) {
        self.title = title
        self.columns = columns
        heights = Array(repeating: Self.margin, count: columns)
    }

    /// Draws the next views of a column from the left, below a heading.
    mutating func begin(column: Int, _ heading: String) {
        self.column = column
        heights[column] += 14
        text(heading, x: 0, size: 13, .quiet, isBold: true)
        heights[column] += 12
    }

    /// Draws the label of a purchase button, below a caption.
    mutating func button(_ configuration: PurchaseButtonConfiguration, _ caption: String) {
        heights[column] += 12
        text(caption, x: 0, size: 12, .quiet)
        heights[column] += 8
        let terms = configuration.isOwned ? nil : configuration.terms?.summary
        let top = heights[column]
        heights[column] += 24
        text(configuration.title, x: 14, size: 16, configuration.isEnabled ? .accent : .quiet)
        for line in Self.lines(of: terms ?? "", 38) {
            heights[column] += 20
            text(line, x: 14, size: 14, .quiet)
        }
        if let status = configuration.status {
            heights[column] += 18
            text(status, x: 14, size: 12, .quiet)
        }
        heights[column] += 14
        accessory(configuration, y: (top + heights[column]) / 2)
        card(from: top)
        heights[column] += 12
    }

    /// Draws a subscription picker.
    mutating func picker(_ state: SubscriptionPickerState) {
        for option in state.options {
            let isSelected = option == state.selected
            let top = heights[column]
            let lines = Self.lines(of: option.terms.summary, 36)
            heights[column] += 26
            circle(x: 22, y: heights[column] - 5, radius: 8, isFilled: false, isSelected ? .accent : .quiet)
            if isSelected { circle(x: 22, y: heights[column] - 5, radius: 4, isFilled: true, .accent) }
            text(option.title, x: 42, size: 16, .text, isBold: true)
            for line in lines {
                heights[column] += 20
                text(line, x: 42, size: 14, .text)
            }
            if let note = option.note {
                heights[column] += 18
                text(note, x: 42, size: 12, .quiet)
            }
            heights[column] += 16
            card(from: top, border: isSelected ? .accent : .quiet)
            heights[column] += 10
        }
        let top = heights[column]
        heights[column] += 27
        text(state.callToAction, x: Self.width / 2, size: 16, .card, isBold: true, isCentered: true)
        heights[column] += 15
        card(from: top, fill: .accent, border: .accent)
        heights[column] += 6
        for line in Self.lines(of: state.disclosure ?? "", 50) {
            heights[column] += 16
            text(line, x: Self.width / 2, size: 12, .quiet, isCentered: true)
        }
        heights[column] += 26
        text(CustomerTexts.current.text(.buttonRestore), x: Self.width / 2, size: 14, .accent, isCentered: true)
        heights[column] += 24
        text(CustomerTexts.current.text(.linkTermsOfUse), x: Self.width / 2 - 56, size: 12, .accent, isCentered: true)
        text(
            CustomerTexts.current.text(.linkPrivacyPolicy), x: Self.width / 2 + 56, size: 12, .accent, isCentered: true)
        heights[column] += 12
    }

    /// The picture.
    var svg: String {
        let width = columns * (Self.width + Self.margin) + Self.margin
        let height = (heights.max() ?? 0) + 34
        let label = "A drawing of the state that the tests check, not a screenshot."
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" \
            width="\(width)" height="\(height)" role="img">
            <title>\(Self.escaped(title)) \(label)</title>
            <rect width="\(width)" height="\(height)" rx="12" fill="\(Color.ground.rawValue)"/>
            <g font-family="-apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">
            \(elements.joined(separator: "\n"))
            <text x="\(Self.margin)" y="\(height - 14)" font-size="11" fill="\(Color.quiet.rawValue)">\(label)</text>
            </g>
            </svg>

            """
    }

    private var left: Int { Self.margin + column * (Self.width + Self.margin) }

    private mutating func text(
        _ text: String, x: Int, size: Int, _ color: Color, isBold: Bool = false, isCentered: Bool = false
    ) {
        let attributes = [
            "x=\"\(left + x)\"", "y=\"\(heights[column])\"", "font-size=\"\(size)\"", "fill=\"\(color.rawValue)\"",
            isBold ? "font-weight=\"600\"" : nil, isCentered ? "text-anchor=\"middle\"" : nil,
        ]
        elements.append("<text \(attributes.compactMap(\.self).joined(separator: " "))>\(Self.escaped(text))</text>")
    }

    private mutating func circle(x: Int, y: Int, radius: Int, isFilled: Bool, _ color: Color) {
        let fill = isFilled ? color.rawValue : "none"
        elements.append(
            """
            <circle cx="\(left + x)" cy="\(y)" r="\(radius)" fill="\(fill)" stroke="\(color.rawValue)" stroke-width="2"/>
            """)
    }

    /// Draws a card from a height to the current one, behind the views drawn since.
    private mutating func card(from top: Int, fill: Color = .card, border: Color = .line) {
        let first = elements.lastIndex { $0.contains("rect") }.map { $0 + 1 } ?? 0
        let place = elements[first...].firstIndex { element in
            element.firstMatch(of: #/ c?y="(\d+)"/#).flatMap { Int($0.1) }.map { $0 > top } ?? false
        }
        elements.insert(
            """
            <rect x="\(left)" y="\(top)" width="\(Self.width)" height="\(heights[column] - top)" rx="12" \
            fill="\(fill.rawValue)" stroke="\(border.rawValue)"/>
            """, at: place ?? elements.endIndex)
    }

    private mutating func accessory(_ configuration: PurchaseButtonConfiguration, y: Int) {
        let x = left + Self.width - 26
        let lines: String? =
            switch configuration.symbolName {
            case "checkmark": "M\(x - 7) \(y) l5 6 l9 -12"
            case "hourglass": "M\(x - 6) \(y - 8) h12 l-12 16 h12 z"
            case "exclamationmark.triangle": "M\(x) \(y - 8) l9 15 h-18 z M\(x) \(y - 2) v4 M\(x) \(y + 4) v1"
            default: configuration.isInProgress ? "M\(x - 8) \(y) a8 8 0 1 1 8 8" : nil
            }
        guard let lines else { return }
        let color = Color.quiet.rawValue
        elements.append("<path d=\"\(lines)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\"/>")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }

    /// Returns the words in lines of a length.
    private static func lines(of text: String, _ length: Int) -> [String] {
        text.split(separator: " ").reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + word.count < length {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
