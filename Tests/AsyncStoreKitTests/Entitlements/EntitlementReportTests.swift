import TestHarness
import Testing

/// Purchases that the payment queue reports, that aren't finished, or that Apple revokes.
@Suite(.bounded) struct EntitlementReportTests {
    private static let refund = "read -1+0 pro:signed=3, read 10 past pro:signed"

    static let scripts = [
        Script(
            "a report gives access until the list has the purchase, or for five minutes",
            """
            read -1+0 filters, report 10 pro:unsigned:id=7:from=10, owns → filters + pro, signed pro → no
            read 100 filters, owns → filters + pro, wakes → 101, read 310 filters, owns → filters, wakes → none
            report 311 pro:unsigned:id=7:from=10, owns → filters
            new, read -1+0 filters, report 10 pro:unsigned:id=7:from=10, read 11 filters pro:id=7:signed=11
            signed pro → yes, wakes → none
            """),
        Script(
            "a report that lists lack is evaluated again at the moment at which it ends",
            """
            read -1+0 pro, report 1 filters:unsigned, read 2+5+10+25+85+145 pro, owns → filters + pro, wakes → 301
            read 301 pro, owns → pro
            """),
        Script(
            "a signed report is used like a listed purchase, and ends only when complete lists lack it for a while",
            """
            read -1+0 filters, report 10 pro:signed=10, signed pro → yes, read 309+310 filters, owns → filters + pro
            wakes → 312, read 312 filters, owns → filters
            """),
        Script(
            "a subscription's report gives access as long as any other, and a consumable's report has no effect",
            """
            read -1+0 basic:ends=5, report 10 basic:unsigned:id=7:of=7:from=10:kind=, ends basic → 310
            report 10 coins:unsigned:from=10:kind=consumable, state coins → none
            report 10 new:unsigned:from=10:kind=, kind new → unknown, owns → basic + new
            """),
        Script(
            "a reported consumable isn't saved",
            """
            read -1+0 pro, saves → 2, report 1 coins:kind=consumable:signed=1, saves → 2
            report 2 filters:signed=2, saves → 3, owns → filters + pro
            """),
        Script(
            "a row of the receipt replaces the report of its purchase, also under another identifier",
            """
            read -1+0 filters, report 1 pro:unsigned:id=7:from=1, id pro → 7, read 2 filters pro:id=8, id pro → 8
            read 3 filters pro:id=8:signed=3:revoked, owns → filters
            """),
        Script(
            "a revocation of StoreKit 1 ends a reported purchase, and has the receipt read",
            """
            read -1+0 filters, report 0 pro:unsigned, owns → filters + pro, revoke 0 pro filters, owns → filters
            reads → yes
            new, read -1+0 filters, report 0 pro:unsigned, revoke 0 other filters, owns → filters + pro
            """),
        Script(
            "a reported upgrade replaces an earlier report of its group if levels are known and the customer paid both",
            """
            levels basic=2 premium=1, report 1 basic:unsigned:kind=subscription, state basic → subscribed
            report 1 premium:unsigned:kind=subscription, state basic → upgraded, state premium → subscribed
            levels basic=2 premium, report 1 basic:unsigned:kind=subscription
            report 1 premium:unsigned:kind=subscription, state basic → subscribed, state premium → subscribed
            levels basic=2 premium=1, report 1 basic:unsigned:kind=subscription:family
            report 1 premium:unsigned:kind=subscription, state basic → subscribed, state premium → subscribed
            levels basic=2 premium=1, report 1 basic:unsigned:kind=subscription:assigned
            report 1 premium:unsigned:kind=subscription, state basic → subscribed, state premium → subscribed
            levels basic=2 premium=1, report 1 basic:unsigned:kind=subscription
            report 1 premium:unsigned:kind=subscription:family, state basic → subscribed, state premium → subscribed
            levels basic=2 premium=1, report 1 basic:unsigned:kind=subscription:family
            report 1 premium:unsigned:kind=subscription:family, state basic → subscribed, state premium → subscribed
            """),
        Script(
            "over StoreKit 1, a report of the same or a lower level waits for the receipt",
            """
            levels basic=1 other=2, read 0 basic:ends=10000, report 1 other:unsigned:kind=subscription, owns → basic
            levels basic=2 other=2, read 0 basic:ends=10000, report 1 other:unsigned:kind=subscription, owns → basic
            levels basic=3 other=2, read 0 basic:ends=10000, report 1 other:unsigned:kind=subscription
            owns → basic + other
            """),
        Script(
            "a reported change isn't a second subscription of an unknown group",
            """
            levels silver=2, read 1 gold:ends=30d, report 2 silver:unsigned:ends=32d, owns → gold
            levels silver=2, read 1 gold:ends=30d:group=club, report 2 silver:unsigned:ends=32d, owns → gold
            levels silver=2, read 1 gold:ends=30d:group=press, report 2 silver:unsigned:ends=32d, owns → gold + silver
            levels silver=2, read 1 gold:id=9:ends=30d:group=press, report 2 silver:id=9:unsigned:ends=32d, owns → gold
            """),
        Script(
            "unfinished transactions give access, unless another customer bought them, or may have",
            """
            read -1+0 pro:by=1 unfinished filters:by=1 foreign:by=2 old, owns → filters + old + pro
            new, read -1+0 unfinished filters:by=1 foreign:by=2 old, owns → old
            new, read -1+0 unfinished filters:by=1, owns → filters
            """),
        Script(
            "a new purchase stays while complete lists lack it, after it was unfinished for a moment",
            """
            read -2+-1 season:by=1, report 0 pro:by=1 paid, read 1 season:by=1 unfinished pro:by=1
            read 2+5+60+290 season:by=1, owns → pro + season, asks → yes
            """),
        Script(
            "an unfinished period gives no access when the device lists a later one of its subscription",
            """
            read 11+12 a:id=2:of=1:from=10:ends=2000 unfinished basic:id=1:of=1:ends=1000, owns → a, ends a → 2000
            new, read 11+12 a:id=2:of=1:ends=2000 unfinished basic:id=1:of=1:ends=1000, owns → a, ends a → 2000
            new, read 11+12 basic:id=2:of=1:from=10:ends=2000 unfinished basic:id=1:of=1:ends=1000, owns → basic
            ends basic → 2000
            """),
        Script(
            "seats that are added to a period, and aren't finished, give access beside it",
            "read 1+2 team:id=1:ends=1000 unfinished team:id=2:ends=1000, owns → team"),
        // Refunds.
        Script(
            "a refund is applied at once, even when the listing is older, until Apple signs that it was reversed",
            """
            read -1+0 pro, read 10 pro:signed=10:revoked, state pro → revoked, read 11 pro:signed=5
            state pro → revoked, read 21 pro:signed=20, state pro → subscribed
            """),
        Script(
            "a refund in the full history is applied unless Apple signed the list later",
            """
            \(refund)=5:revoked, state pro → revoked, issues → none
            new, \(refund)=3:revoked, state pro → revoked, issues → none
            new, \(refund)=2:revoked, state pro → subscribed, issues → emptyHistory
            """),
        Script(
            "an older report doesn't replace what Apple has signed later",
            """
            report 10 pro:signed=10, report 11 pro:signed=5:revoked, state pro → subscribed
            report 12 pro:signed=12:revoked, report 13 pro:signed=11, owns → none
            """),
        Script(
            "a known refund outlasts an older file",
            "report 10 pro:signed=10:revoked, cache 11 pro:signed=-50, state pro → revoked, read 12, owns → none"),
        Script(
            "a status that revokes a past transaction doesn't end a later subscription",
            """
            read 20 subscriptions basic:id=1:ends=100:signed=10:revoked says revoked:id=1, state basic → revoked
            report 30 basic:id=2:from=30:ends=130:signed=30, state basic → subscribed, id basic → 2
            """),
        Script(
            "of several statuses of a subscription, the best is used",
            """
            read 20 subscriptions basic:ends=10 says inBillingRetryPeriod inGracePeriod, state basic → inGracePeriod
            new, read 20 subscriptions basic:ends=10 says inGracePeriod inBillingRetryPeriod
            state basic → inGracePeriod
            """),
        Script(
            "a subscription that a bundle replaces keeps its access until the list says otherwise",
            """
            read -1+0 news:ends=1000 pro, report 10 news:ends=1000:signed=10:bundled, state news → subscribed
            read 11 past news:ends=1000:signed=10:bundled, state news → subscribed
            read 12+15 pro past news:ends=1000:signed=10:bundled, state news → upgraded
            new, read -1+0 news:ends=1000 pro, read 11 past news:ends=1000:signed=10:bundled, state news → subscribed
            read 12+15 news:id=member:ends=2000:signed=12 pro past news:ends=1000:signed=10:bundled, id news → member
            """),
    ]

    @Test(arguments: scripts) func `a report gives access until a list has its purchase, and a revocation ends access`(
        script: Script
    ) {
        var entitlements = EntitlementScript()
        script.play { entitlements.perform($0) }
    }
}
