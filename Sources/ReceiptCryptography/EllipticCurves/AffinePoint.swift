/// A finite point on a curve with two coordinates.
package struct AffinePoint<Curve: PrimeCurve>: Equatable, Sendable {
    package var x: Residue<Curve.Field>
    package var y: Residue<Curve.Field>

    init(x: Residue<Curve.Field>, y: Residue<Curve.Field>) {
        self.x = x
        self.y = y
    }

    /// Reads a point in the uncompressed form of SEC 1, section 2.3.4: 04, x, y.
    ///
    /// Returns `nil` for any other form, including the point at infinity, for a coordinate that isn't below the prime,
    /// and for a point that isn't on the curve.
    package init?(uncompressed bytes: ArraySlice<UInt8>) {
        let byteCount = Curve.Field.byteCount
        guard bytes.count == 1 + 2 * byteCount, bytes.first == 0x04 else { return nil }
        let coordinates = bytes.dropFirst()
        guard let x = UInt384(bigEndian: coordinates.prefix(byteCount)), x < Curve.Field.prime,
            let y = UInt384(bigEndian: coordinates.dropFirst(byteCount)), y < Curve.Field.prime
        else { return nil }
        self.init(x: Residue(x), y: Residue(y))
        guard isOnCurve else { return nil }
    }

    /// Whether the coordinates satisfy y² = x³ - 3x + b.
    private var isOnCurve: Bool {
        y * y == (x * x * x - (x + x + x)) + Curve.b
    }

    /// The uncompressed form.
    package var uncompressed: [UInt8] {
        [0x04] + x.bytes + y.bytes
    }
}
