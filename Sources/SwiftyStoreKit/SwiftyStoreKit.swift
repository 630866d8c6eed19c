/// The block API of SwiftyStoreKit 0.16.4, over ``AsyncStoreKit``.
public class SwiftyStoreKit {}
