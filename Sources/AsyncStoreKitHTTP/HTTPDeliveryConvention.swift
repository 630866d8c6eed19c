/// The meaning of a server's responses to a delivery; see ``HTTPDeliveryOptions/convention``.
///
/// Gateways, firewalls, captive portals and web servers can respond instead of your server, even with status 200. Only
/// a response that they don't send accepts or rejects a paid purchase. The first matching row applies:
///
/// | Status | Content type | Body | Meaning |
/// |---|---|---|---|
/// | any | JSON or none | an object with `decisions` | for each purchase, by its delivery key, what the object with this name in `decisions` says; a purchase that isn't named is tried again |
/// | any | JSON or none | an object with `"decision": "rejected"` | rejected, with the object's message |
/// | any | JSON or none | an object with `"decision": "retryLater"` | tried again, after `"retryAfter"` seconds if it has them |
/// | 2xx | JSON or none | an object with `"decision": "accepted"` | accepted |
/// | any | JSON or none | an object with any other `decision` | tried again |
/// | 2xx | JSON or none | an object whose field has an accepted value, with ``field(_:accepts:)`` only | accepted |
/// | 2xx | any | empty, or white space, with ``anySuccess`` and ``locSubscription`` only | accepted |
/// | 2xx | JSON or none | any other JSON that reports no error, with ``anySuccess`` and ``locSubscription`` only | accepted |
/// | 4xx | JSON or none | an object with a message, with ``locSubscription`` only | rejected, with that message |
/// | any | any | anything else: an empty body, HTML, text, other JSON, JSON that cannot be read | tried again |
///
/// - The content type is JSON when it is `application/json`, `text/json` or one that ends in `+json` (RFC 6839); its
///   parameters do not matter. The text is UTF-8 (RFC 8259, 8.1), with or without a byte order mark.
/// - A request with several purchases can be answered with one decision for all of them, or with one for each:
///   `{"decisions": {"2000000012345678": {"decision": "accepted"}}}`.
/// - 409 and 422 without a decision, which middleware sends for an `Idempotency-Key` in use or with another body,
///   decide nothing. After 422, the next request has another key.
/// - After 413 without a decision, the purchases are sent again at once in two requests. A single purchase is tried
///   again later.
/// - The message is the first text among `message`, `detail` and `title` (RFC 9457) that is not empty.
/// - A delivery that is tried again without `"retryAfter"` waits as long as the header field `Retry-After` asks, or
///   else for a pause that grows with each attempt.
public enum HTTPDeliveryConvention: Sendable, Hashable {
    /// Only `"decision": "accepted"` accepts a purchase, and only `"decision": "rejected"` rejects it. The default.
    case decisionField
    /// A field of the server's JSON also accepts a purchase, if it has one of these values: a text, or `true` or
    /// `false` for a truth value. For `{"status": "ok"}`, use `.field("status", accepts: ["ok"])`.
    ///
    /// Use this convention for a server with such a response that you can't change. Gateways and frameworks report
    /// their own results in fields such as `status`, `ok` and `success`. If one of them sends an accepted value, a paid
    /// purchase is finished that your server has never seen.
    case field(String, accepts: Set<String>)
    /// Every status from 200 to 299 also accepts a purchase, if the body is empty or JSON that reports no error.
    ///
    /// Use this convention only for a server that you can't change. A gateway's empty 200, a maintenance page's
    /// `{"status": "error"}` and a queue's 202 finish a paid purchase that your server has never seen. JSON reports an
    /// error when it is `false`, or an object with an `error`, `errors` or `errorMessage` that is neither `null` nor
    /// `false` nor empty, or a `success` that is `false`. The list is necessarily incomplete.
    case anySuccess
    /// The convention of LOCSubscription: ``anySuccess``, and each 4xx with a message also rejects, except 401, 404,
    /// 405, 407, 408, 425 and 429, which are about the request and not about the purchase.
    ///
    /// Use this convention only for a server that you can't change and that has no gateway in front of it. A gateway's
    /// `403 {"message": "Forbidden"}` also finishes a paid purchase that the server has never seen.
    case locSubscription
}
