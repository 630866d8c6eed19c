#if os(iOS) || os(macOS) || os(visionOS)
    import SwiftUI
    import UniformTypeIdentifiers

    /// Buttons that save the report to a file.
    struct ChecklistExport: View {
        let report: ChecklistReport
        @State private var document: ReportDocument?
        @State private var isExporting = false

        var body: some View {
            Group {
                Button("Save the report as Markdown") { export(Data(report.markdown.utf8), as: .plainText) }
                Button("Save the report as JSON") {
                    guard let data = try? report.json() else { return }
                    export(data, as: .json)
                }
            }
            .fileExporter(
                isPresented: $isExporting, document: document, contentType: document?.type ?? .plainText,
                defaultFilename: "Seen on a device"
            ) { _ in document = nil }
        }

        private func export(_ data: Data, as type: UTType) {
            document = ReportDocument(data: data, type: type)
            isExporting = true
        }
    }

    private struct ReportDocument: FileDocument {
        static let readableContentTypes: [UTType] = [.plainText, .json]
        let data: Data
        let type: UTType

        init(data: Data, type: UTType) {
            self.data = data
            self.type = type
        }

        init(configuration: ReadConfiguration) throws {
            data = configuration.file.regularFileContents ?? Data()
            type = configuration.contentType
        }

        func fileWrapper(configuration: WriteConfiguration) throws -> FileWrapper {
            FileWrapper(regularFileWithContents: data)
        }
    }
#endif
