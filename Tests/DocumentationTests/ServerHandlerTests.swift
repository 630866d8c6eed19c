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
                    def verified(jws):
                        payload = jws.split(".")[1]
                        return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))
                    def credit(transaction, account, product, quantity):
                        try:
                            with open(pathlib.Path(__file__).parent / f"credit-{transaction}", "x") as file:
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
                    import { writeFileSync } from "node:fs";
                    export const accountOf = (authorization) => authorization?.replace("Bearer ", "");
                    export const verified = (jws) => JSON.parse(Buffer.from(jws.split(".")[1], "base64url").toString());
                    export function credit(transaction, account, product, quantity) {
                      try {
                        const file = new URL(`credit-${transaction}`, import.meta.url);
                        writeFileSync(file, `${account} ${product} ${quantity}`, { flag: "wx" });
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

        @Test(.enabled(if: Language.python.isInstalled, "python3 isn't installed"))
        func `the article's handler in Python accepts, rejects and credits once`() async throws {
            try await play(.python)
        }

        @Test(.enabled(if: Language.javascript.isInstalled, "node isn't installed"))
        func `the article's handler in JavaScript accepts, rejects and credits once`() async throws {
            try await play(.javascript)
        }

        private func code(_ language: Language) throws -> String {
            let text = try DocumentedCode().text(of: Self.page)
            let parts = text.components(separatedBy: "```\(language.name)\n")
            expectEqual(parts.count, 2)
            return try #require(parts.last?.components(separatedBy: "\n```").first)
        }

        private func play(_ language: Language) async throws {
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
            try await deliver(to: port, folder)
        }

        private func deliver(to port: Int, _ folder: URL) async throws {
            let appStore = SimulatedAppStore(products: [.consumable("coins", price: 1)])
            let (ann, bob) = (UUID(), UUID())
            let signedIn = Recorder<UUID>()
            var options = HTTPDeliveryOptions()
            options.headers = { _ in
                signedIn.elements.last.map { ["Authorization": "Bearer \($0.uuidString)"] } ?? [:]
            }
            let url = try #require(URL(string: "http://127.0.0.1:\(port)/purchases"))
            let delivery = try HTTPPurchaseDelivery(url: url, options: options)
            let requests = Recorder<DeliveryRequest>()
            let store = PurchaseStore(simulating: appStore)
            store.setDelivery { request in
                requests.record(request)
                return await delivery.deliver(request)
            }
            let updates = StreamListener(store.transactions)

            // No account is signed in: the handler responds with 401.
            let pending = await #expect(throws: StoreError.self) {
                try await store.purchase("coins", options: [.appAccountToken(ann), .quantity(2)])
            }
            expectEqual(pending?.code, .deliveryPending)
            signedIn.record(ann)
            store.retryDeliveries()
            let purchase = try #require(await updates.next())
            #expect(purchase.isHandledElsewhere)
            expectEqual(try credits(folder), ["\(ann.uuidString) coins 2"])

            // The response was lost.
            let request = try #require(requests.elements.last)
            expectEqual(request.lastStatus, 401)
            expectEqual(await delivery.deliver(request).decisions(of: request), [.accepted])
            expectEqual(try credits(folder).count, 1)

            // Another account's purchase.
            let rejected = await #expect(throws: StoreError.self) {
                try await store.purchase("coins", options: [.appAccountToken(bob)])
            }
            expectEqual(rejected, StoreError(.deliveryRejected, "This purchase belongs to another account."))
            expectEqual(try credits(folder).count, 1)
            try await store.settled()
            expectEqual(appStore.allTransactions().map(\.isFinished), [true, true])
        }

        private func credits(_ folder: URL) throws -> [String] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.lastPathComponent.hasPrefix("credit-") }
                .map { try String(contentsOf: $0, encoding: .utf8) }
        }
    }

    extension DeliveryDecision {
        fileprivate func decisions(of request: DeliveryRequest) -> [DeliveryDecision] {
            guard case .each(let decisions) = self else { return request.purchases.map { _ in self } }
            return request.purchases.map { decisions[$0.deliveryKey] ?? .retryLater }
        }
    }
#endif
