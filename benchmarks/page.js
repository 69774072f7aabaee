// What a page notes while it is measured: how long tasks take, and when what was picked is drawn.
;(() => {
  const notes = { tasks: [], picks: [] }
  window.notes = notes
  new PerformanceObserver((list) => notes.tasks.push(...list.getEntries().map(({ startTime, duration }) => [startTime, duration]))).observe({
    type: 'longtask',
    buffered: true,
  })

  /** Whether the stack that was picked shows where it can go. */
  const isDrawn = (space) =>
    document.querySelector(`[data-space="${space}"][aria-pressed="true"]`) &&
    document.querySelector('[data-mark]:not([data-mark="pick"])')

  /** After the frame that holds what is there now. */
  const afterFrame = (then) =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = then
      port2.postMessage(null)
    })

  const waits = (space, begun) => {
    if (!isDrawn(space)) return requestAnimationFrame(() => waits(space, begun))
    afterFrame(() => notes.picks.push(performance.now() - begun))
  }
  addEventListener(
    'pointerdown',
    ({ target, timeStamp }) => target instanceof Element && target.matches('[data-mark="pick"]') && waits(target.dataset.space, timeStamp),
    true,
  )
})()
