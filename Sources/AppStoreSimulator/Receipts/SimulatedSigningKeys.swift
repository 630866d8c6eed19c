import Foundation
import ReceiptCryptography

/// The simulator's keys. The keys are published, so their signatures are valid only for clients that trust them
/// explicitly.
package enum SimulatedSigningKeys {
    /// The key of the root certificate of receipts.
    package static let root = rsaKey(
        """
        omDsdQwXotGLP8vGL/EfTb3XWvJGtDLaThCTd8AwXtGqshFOQVD1qshaemd93mn9QIonRw+qvtHkDz9x0VD3hP+owRfeJ3sCvwwCHn+SNTbm
        QY0CWKfIlK1H5r3SnnMg9iytFXo0urqmLmwKQ4ga8wQIht7JhMmoT+X6c2DGBBU1Yw/5/2bpsXad5sjmxi9P14dTZz4QC6KITJvTR710Qudi
        cxJ+NiuLBRn1uEYeNMMMAcd/GObKuQjiYNrPdRulB3E56im61gAPsMZpSpao0AXWUjIB5JGXkEe9wO16elnRjn51t/OjzMlY5cLINH+m6A6P
        53out59Ofz/rDWYgPdMZmhzDEfs1DV11dv73sQvlDPQ8J20qk8RUUgpZPxrpERXi/Dnz+7ZszdTWbGaGqk8zIcVliP2JGqdw1HAc7NNpXOk3
        j4n8yw32WggVTEaiqzpDHVpZEjD0KpW4+l3r/sU4UQUWFu3A7u3K+KdW1evJZHRMXJYIWTFRpQnnDUn7xOpw23IlR0bMTdldkMXbuvPBMIbx
        dIRTdF8qx5RkAXmIkK5gE+Ip6lY8Ev73/hphO2XmGcsHRS3yf+BUiNpNpdjCnjlvb0R4Aa25tXd2HwXBe5tjP6wE7O3wAgQjKjzQfLYhwszC
        fOVWTpJqkNbQktYi07RQcKfxdryJg7Y7oSeTty+K/sk/UjFG+6JH6cS+wQmegdVI42lBEYvS5/5rczlcalf6qYqybVJeo6h42bSk9O+ltFX2
        q5C2KBLPXL4vdWPpYdKUSQtBeugnDdgw+TT98ObCSN+c185QtH6laDT/hlfTSlDDD6VhSg1S80V/143uf1yuM6tOAoaM9lvrLw5bMUMufT1H
        EhoS4NlvM2fb4ZfSHsRp6VOwpIPMc8YPwD8cF3EbqgalpteTsyzZa4FTGoWC4dLPWMCt8DvR/ps6xGWYtmEcUst8iO+L+Bam6sZCO+gmeG11
        o2viNVYc/O46sRdsqjlE1xf/YLmSj75E0mEw4jR0agxIDpaFsK89tZUfxaKizLzpV/Op1btS2/Z2e3BaQPTLEMebEoX+LOtYX97geOpuf6NX
        0L9CL+C/DQePwrs7w4K/+CBOKLh5l/VWm+Bw5IFMInnOO6GecpagWgYbK/KART/y5TUCY04FiNKtlZDHxOrav1todMJLWTSAoNvGfvQKedGc
        +SBeBOM=
        """)

    /// The key of the intermediate certificate of receipts.
    package static let intermediate = rsaKey(
        """
        kqg6VkRA4bFGlYAkd/nZ+mo6kQMW3pHFeBCICwMTS0W5A9MZOInBcpFwYdXvu5pm7GoaR6OrwCi4EFgD8ac8F/EaG8biITImthJA3GcLOqJL
        BPiUQ+IZ/BLmWdThw5pKLaz1Rsj4yMXo2tciJYw6z1+zV1TcstHXqyp5o4RDmzCciG3JFg1ZEmG28kUtw0bQbe1mxx85Lr3mLzPgXbN2zPmw
        qKiIQUF14UGY/3tI0dArPHpHmYAiQ3NJtJnwJDlGzDLd2hhY/PSUUTqinpFaODFiUQNaurw3Rsuityk49zJuWSneLywzjqUft+pOtvUXtFsd
        XqMwX7QSIVbsCJyabcM9Gw9hFF/ofwTj1yj2HDaYDcQXb2mvz7yqQeibZFCowGC86iRrghkugWs5gLAkTlgmQa79QNkNSsKFl7ysoQUE/M2D
        NAm2jYfJxCLyZu7/Elg341xTuWLMrNwQwczmEhDd6Bc7IDlBr2ah+RdjOAnOicvKEXYaOH3FE8mkJZb5wEySuf7AhSkdE5n1BMCnSq0inRxp
        ieUhusHZntAod8VnXz4mAeZ+GZhQztUzg0nEMIIQm39EmbW+ebli3R/gB6HJk+zvABIw14Vp9zLtgdPgQQBjBQQAxMvtwdgIgX2FfqksTt3L
        Q3WZaVVsUBCqDikQAKnATG7f4/Apj7T2+BUj2+RNddItL2Gs/z/0eQeDi3fzzS4cZjssdsT2ORw6qFP1MJ18pPZXM7B3hi85quFs1VH5FvDD
        LOrPQYQ2FirY5iqcgH2dTxc9mnRYytbXDKhM5a7vtTz2hYs2PCmsPZGR4YAQTD7F5WeW3ScIAaQ4QOQUNv/wBi7cAsd4oJp62SeV28KECbef
        vgeR8tlWm1mJCI4VEji7vVTHoPfLW/lD3sLBdWuAukakj0X0p5UIM2XU8HxCF6oYuqwuGIbyj9iiWm+kH5MBK6LCKQ0lI7VNG2XmIXwf1dSt
        MjVsNlwJrdhkFOXrTHOHmtwPJKvaslcV5uBsEVTqohY3EyctFoX9L60XTNzzQ05zuNlmrtUITzmHNfIvxIUsuV4zJQQ+jWXzxm2LITikV2Ls
        rpd3IhUF3if6T3O2ZOPnaYs0i9l9rby098cD/hoolaRa9BW/vLSpJj6Enu4AVxD2OozMDyIsQEtaRenHol4CoxdjvNSvQz9RYY4lrwEZX8xY
        Ae/QZRs=
        """)

    /// The key that signs receipts.
    package static let leaf = rsaKey(
        """
        ztMbx3e2fql99NqrLMf15TxGLVKavC2OXQsJpWML4dgHtSiiIagx7oD01N4Lxl3bK1C7KrJE0Jxh7iuiA/6yNCtLbONxzeUn2Mu8ZJDvkXp8
        t9pDt8eQpwTyWqv7SDHeiSFWZidQzzck4DtUuYuomoIETquHnU77NtWYyD6/Xj8EoAkVHwc02fnsZPzV/zdoGKM4nomLWD9zXWoKoZTbsx3a
        3UhSGpYJabahu2IT9JLrq+edf7RsGFFpqcvTYA7Nu0J9qO9tsOR3+7LHZOwdGgr6cjdiZJxLT/sHkQgAgHeooEJ1fTjxeqVEkL7RZnJ2CxxH
        80saYTfVUYx3xxLUoe4F+EdfIgLlX3OGL0oT5ADy2Agz//TlLZWwQi/pD3bxNeXPlrvB88AdBtd0Xyzif82Mg4S41MJVo+6nvtGhdNYIR23f
        mT4xKjm+bznC7JuiCD+Ibl3bEphoznkXns0lcStoA0S0EwnXHSFsrWAxdKoJy2gq0NgeYtBSZLIWyNnf3nHumB1o7oP3zVTm+xgmjKh6tOnO
        qLqrxZsRm97GNlFIQYYHQnlbTR+LASAtQDVMugSYUTKFHsK5d2X7qLWs03nMMbMjEWyUzqEnzZiIdkxS79l9buDGS5TKJYvImJkbBTtO680j
        QTfWAHgIarVGuk7rFGBt/ZMUD9foK+fHIX8zikljsv7bX62Wh1TQFpSFfBA5XoErF0ESq7L5St8VY0/Hbnb2Ox472E019DXzsyv3Z1jHMXqo
        hgDUWbBhFjQFcI9/BC7bn6vECy9sc3/mh2R/1VwIqLpTFEa5Q9sYEuZ5frFOfCuvMsxVA4JbVPotI6fO646Dbbj54Q163qIpQzAOEOtPvzF3
        1PrI0rV//CP66bdXo0uUODOSUnWH5O4rFR8Co2La8LxyigcOOnhai17MS1OPRG7mxkZjA8DorpNpBpHeDz9eY69X5U9nGmPkDS6/n3dqm6wM
        UrdVwVomCU5SB7StNmaKd3LWe4sB6mupTOO0CU70jSr3C7MgeUZlBv2WTa58d1v90bJ6gO7iKCf5g2Dy9TrSpazIzJiXFyW/wwykpasOqwP7
        Ogf4Fmomt3yOICP1MVUWBdvuWP6RiZJS5ekgedfShrwUDikjjeYNRlando2CwZExk9T9ViKiybd/84z15X5Uz9AF7mm6mvNYSchdqzqZtImV
        Qkp9Xkc=
        """)

    /// The key of the root certificate of signed transactions.
    package static let transactionRoot = ECDSAPrivateKey(
        curve: .p384,
        scalar: number(
            "7854631C7E42FBE246931B3B89877985C0946C4D2DC463F2718722B8813D9D97FD9E390ECC4B16758005FE9F615A0137"))

    /// The key of the intermediate certificate of signed transactions.
    package static let transactionIntermediate = ECDSAPrivateKey(
        curve: .p384,
        scalar: number(
            "9935D48DDD5A6BD7FD7AC223E941F9761276B2579C2EB7BB114C4F3800D49DD122B97A80E246E0A1D04209469AF4A81B"))

    package static let transactionLeaf = ECDSAPrivateKey(
        curve: .p256,
        scalar: number("DCD17C639DCAB401F2CCF6A2F7456213DE48AA79334B6C657990B872A262858A"))

    /// Creates a key from its modulus, primes, exponents and coefficient, in base64.
    private static func rsaKey(_ text: String) -> RSAPrivateKey? {
        let bytes = Array(Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data())
        func part(_ index: Int) -> [UInt8] { Array(bytes.dropFirst(128 * index).prefix(128)) }
        return RSAPrivateKey(
            modulus: part(0) + part(1), primes: (part(2), part(3)), exponents: (part(4), part(5)), coefficient: part(6))
    }

    private static func number(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - digits.count % 2, by: 2).map {
            UInt8(digits[$0] << 4 | digits[$0 + 1])
        }
    }
}
