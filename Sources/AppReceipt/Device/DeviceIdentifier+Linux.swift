#if !canImport(Darwin)
    extension DeviceIdentifier {
        /// What a receipt may be tied to on this device: nothing, the App Store knows no such devices.
        public static func candidatesOfThisDevice() async throws(DeviceIdentifierError) -> [DeviceIdentifier] {
            []
        }
    }
#endif
