#if os(macOS) || os(Linux)
    import AppStoreSimulator
    import AsyncStoreKit
    import AsyncStoreKitHTTP
    import AsyncStoreKitTesting
    import Foundation
    import Support
    import TestHarness
    import Testing

    /// Starts the handlers of the article on the app's server, and delivers purchases to them.
    @Suite(.bounded) struct ServerHandlerTests {
        private static let page = "Sources/AsyncStoreKitHTTP/AsyncStoreKitHTTP.docc/YourServer.md"

        /// A language of the article, with functions of the app that check no signature and keep credits in files.
        private struct Language: Sendable {
            let name: String
            let interpreter: String
            let handler: String
            let app: (file: String, code: String)

            static let python = Language(
                name: "python", interpreter: "python3", handler: "server.py",
                app: (
                    "app.py",
                    """
                    import base64, json, pathlib
                    def account_of(authorization):
                        return authorization.removeprefix("Bearer ") if authorization else None
                    folder = pathlib.Path(__file__).parent
                    def verified(jws):
                        if (folder / "configuration-is-wrong").exists():
                            raise ValueError("another app's transaction")
                        payload = jws.split(".")[1]
                        return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
                    def credit(transaction, account, product, quantity):
                        if (folder / "catalog-is-missing").exists():
                            raise KeyError(product)
                        try:
                            with open(folder / f"credit-{transaction}", "x") as file:
                                file.write(f"{account} {product} {quantity}")
                        except FileExistsError:
                            pass
                    """
                ))
            static let javascript = Language(
                name: "javascript", interpreter: "node", handler: "server.mjs",
                app: (
                    "app.mjs",
                    """
                    import { existsSync, writeFileSync } from "node:fs";
                    const file = (name) => new URL(name, import.meta.url);
                    export const accountOf = (authorization) => authorization?.replace("Bearer ", "");
                    export function verified(jws) {
                      if (existsSync(file("configuration-is-wrong"))) throw new Error("another app's transaction");
                      return JSON.parse(Buffer.from(jws.split(".")[1], "base64url").toString());
                    }
                    export function credit(transaction, account, product, quantity) {
                      if (existsSync(file("catalog-is-missing"))) throw new Error(product);
                      try {
                        writeFileSync(file(`credit-${transaction}`), `${account} ${product} ${quantity}`, { flag: "wx" });
                      } catch (error) {
                        if (error.code !== "EEXIST") throw error;
                      }
                    }
                    """
                ))

            /// Whether the interpreter is installed.
            var isInstalled: Bool {
                (try? ChildProcess.run(Self.environment, [interpreter, "--version"]).status) == 0
            }

            /// Finds programs.
            static let environment = URL(fileURLWithPath: "/usr/bin/env")
        }

        @Test(.enabled(if: Language.python.isInstalled, "python3 isn't installed"), arguments: engines)
        func `the article's handler in Python finishes nothing undelivered`(engine: StoreEngine) async throws {
            try await play(.python, engine)
        }

        @Test(.enabled(if: Language.javascript.isInstalled, "node isn't installed"), arguments: engines)
        func `the article's handler in JavaScript finishes nothing undelivered`(engine: StoreEngine) async throws {
            try await play(.javascript, engine)
        }

        private static let engines: [StoreEngine] = [.storeKit1, .storeKit2]

        private func code(_ language: Language) throws -> String {
            let text = try DocumentedCode().text(of: Self.page)
            let parts = text.components(separatedBy: "```\(language.name)\n")
            expectEqual(parts.count, 2)
            return try #require(parts.last?.components(separatedBy: "\n```").first)
        }

        private func play(_ language: Language, _ engine: StoreEngine) async throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("handler-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            try code(language).write(
                to: folder.appendingPathComponent(language.handler), atomically: true, encoding: .utf8)
            try language.app.code.write(
                to: folder.appendingPathComponent(language.app.file), atomically: true, encoding: .utf8)
            let process = Process()
            process.executableURL = Language.environment
            process.arguments = [language.interpreter, language.handler, "0"]
            process.currentDirectoryURL = folder
            let output = Pipe()
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            process.standardInput = FileHandle.nullDevice
            try process.run()
            defer { process.terminate() }
            // The handler prints its port when it listens.
            let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)), "\(line)")
            let journey = AccountJourney(engine: engine)
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/purchases"))
            // The handlers read signed transactions, which StoreKit 1 doesn't have.
            let problems = try await journey.play(to: url, verifies: engine == .storeKit2) {
                try setFault($0, in: folder)
            } credited: {
                try credits(in: folder)
            }
            expectEqual(problems, [])
        }

        /// Makes the handler fail, or work.
        private func setFault(_ fault: AccountJourney.Fault?, in folder: URL) throws {
            let files: [AccountJourney.Fault: String] = [
                .configuration: "configuration-is-wrong", .catalog: "catalog-is-missing",
            ]
            for (name, file) in files {
                let url = folder.appendingPathComponent(file)
                if name == fault { try Data().write(to: url) } else { try? FileManager.default.removeItem(at: url) }
            }
        }

        /// Returns the quantities of each account, by product.
        private func credits(in folder: URL) throws -> [UUID: [String: Int]] {
            let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            var credits: [UUID: [String: Int]] = [:]
            for file in files where file.lastPathComponent.hasPrefix("credit-") {
                let words = try String(contentsOf: file, encoding: .utf8).split(separator: " ").map(String.init)
                let account = try #require(UUID(uuidString: words[0]))
                credits[account, default: [:]][words[1], default: 0] += try #require(Int(words[2]))
            }
            return credits
        }
    }
#endif
