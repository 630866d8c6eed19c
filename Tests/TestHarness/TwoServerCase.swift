import Testing

/// The responses of two servers, and the results of requests by one client, one after another. A server repeats its
/// last response.
package struct TwoServerCase<Response: Sendable>: Sendable, CustomTestStringConvertible {
    package let testDescription: String
    package let startsInSandbox: Bool
    package let production: [Response]
    /// Empty for a sandbox that expects no request.
    package let sandbox: [Response]
    package let results: [String]
    /// The number of requests to each server.
    package let requests: [Int]
    /// The pauses before retries, in seconds.
    package let delays: [Double]

    package init(
        _ name: String, startsInSandbox: Bool = false, _ production: [Response], sandbox: [Response] = [],
        _ results: String..., requests: [Int] = [1, 0], delays: [Double] = []
    ) {
        testDescription = name
        self.startsInSandbox = startsInSandbox
        self.production = production
        self.sandbox = sandbox
        self.results = results
        self.requests = requests
        self.delays = delays
    }
}
