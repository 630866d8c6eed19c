import Foundation

extension EngineState {
    /// Creates the downloads of a paid or restored entry.
    mutating func makeDownloads(for index: Int) {
        let entry = queue[index]
        let contents = hostedContent(of: entry.payment.productID)
        guard !contents.isEmpty else { return }
        queue[index].downloads = contents.map { downloads.make($0, for: entry.id) }
    }

    mutating func failDownload(_ id: SimulatedDownload.ID, error: SimulatedError) {
        guard downloads.move(id, from: [.waiting, .active, .paused], to: .failed, error: error) else { return }
        notifyDownloads([id])
    }

    mutating func handleDownloadProgress(_ id: SimulatedDownload.ID, generation: UInt64) {
        if let offlineError, downloads.generation(of: id) == generation {
            return failDownload(id, error: offlineError)
        }
        guard downloads.progress(id, generation: generation) else { return }
        scheduleStep(id)
        notifyDownloads([id])
    }

    /// Moves those of the downloads that are in one of the states to another state.
    mutating func move(
        _ ids: [SimulatedDownload.ID], from states: Set<SimulatedDownload.State>, to state: SimulatedDownload.State
    ) {
        var moved: [SimulatedDownload.ID] = []
        for id in ids {
            guard let transaction = downloads.value(id)?.transactionID, let index = queue.index(of: transaction),
                isPresent(index)
            else {
                misuses.append(.downloadNotInQueue(id))
                continue
            }
            if downloads.move(id, from: states, to: state) {
                moved.append(id)
                scheduleStep(id)
            }
        }
        notifyDownloads(moved)
        runSchedule(until: now)
    }

    private mutating func scheduleStep(_ id: SimulatedDownload.ID) {
        guard downloads.value(id)?.state == .active else { return }
        let step = TimedEvent.downloadProgresses(id, generation: downloads.generation(of: id))
        schedule.add(step, at: now.addingTimeInterval(downloads.interval(of: id)))
    }

    private mutating func notifyDownloads(_ ids: [SimulatedDownload.ID]) {
        guard !ids.isEmpty else { return }
        notify(.updatedDownloads(downloads.values(of: ids)))
    }
}
