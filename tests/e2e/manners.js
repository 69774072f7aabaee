// What manners.py looks for in a page, in the page.
window.manners = {
  /** The controls that can't be brought into the window, or that something else covers. */
  outOfReach() {
    const scope = [...document.querySelectorAll('dialog[open], [role=dialog], :popover-open')].at(-1) ?? document
    const isIn = ({ left, right, top }) => left >= -1 && right <= innerWidth + 1 && top >= -1 && top < innerHeight
    const isHit = (it) => {
      const { x, y, width, height } = it.getBoundingClientRect()
      const hits = [0.5, 0.2, 0.8].map((part) => document.elementFromPoint(x + width * part, y + height / 2))
      return hits.some((hit) => it.contains(hit))
    }
    return [...scope.querySelectorAll('a[href], button, input, select, summary')]
      .map((it) => it.closest('label') ?? it)
      .filter((it) => it.checkVisibility({ visibilityProperty: true }) && !it.closest('[inert]') && !it.disabled)
      .filter((it) => {
        it.scrollIntoView({ block: 'center', inline: 'nearest' })
        return !isIn(it.getBoundingClientRect()) || !isHit(it)
      })
      .map(told)
  },

  /** The same once there are none, or after some milliseconds: a page lies out anew some frames after its window has changed. */
  async outOfReachAtLast(moment) {
    const end = performance.now() + moment
    while (this.outOfReach().length && performance.now() < end) await new Promise(requestAnimationFrame)
    return this.outOfReach()
  },

  /** The controls at which a second quick tap zooms instead of counting, as fingers have it where nothing forbids it. */
  zooming() {
    const scrolls = ({ overflowX, overflowY }) => [overflowX, overflowY].some((one) => one === 'auto' || one === 'scroll')
    const forbids = (it) => getComputedStyle(it).touchAction !== 'auto' || (!scrolls(getComputedStyle(it)) && it.parentElement !== null && forbids(it.parentElement))
    return [...document.querySelectorAll('a[href], button, input, select, textarea, label, summary, [role=button], [data-space], [data-card]')]
      .filter((it) => it.checkVisibility() && !forbids(it))
      .map(told)
  },

  /** Whether everything has its place: asked at each frame, it has been where it is for some of them. */
  isAtRest() {
    const places = [...document.body.querySelectorAll('*')].map((it) => Object.values(it.getBoundingClientRect().toJSON()))
    const now = places.flat().reduce((sum, length, n) => sum + length * (1 + (n % 97)), 0)
    this.frames = now === this.before ? this.frames + 1 : 0
    this.before = now
    return this.frames >= 3
  },

  /** What would move, and what does. */
  movements() {
    const seconds = (text) => Math.max(...text.split(',').map(parseFloat))
    const moves = ({ animationName, animationDuration, transitionDuration }) =>
      seconds(transitionDuration) > 0 || (animationName !== 'none' && seconds(animationDuration) > 0)
    const parts = ['', '::before', '::after']
    return [
      ...[...document.querySelectorAll('*')].filter((it) => parts.some((part) => moves(getComputedStyle(it, part)))),
      ...document.getAnimations().map(({ effect }) => effect.target),
    ].map(told)
  },

  /** Leaves the signs in pictures out, or shows them again. */
  leaveOut(out) {
    const sheet = new CSSStyleSheet()
    if (out) sheet.replaceSync('svg text { visibility: hidden !important }')
    document.adoptedStyleSheets = [sheet]
  },

  /** The signs in pictures that can't be told from what lies under them. whole, bare: photographs, with signs and without. */
  async faintSigns({ whole, bare, readable }) {
    const [one, other] = [await canvasOf(whole), await canvasOf(bare)]
    return [...document.querySelectorAll('svg text')]
      .filter((it) => it.textContent.trim() && isInSight(it))
      .map((it) => [it, contrast(one, other, it.getBoundingClientRect())])
      .filter(([, found]) => found < readable)
      .map(([it, found]) => `${found.toFixed(1)}: ${told(it)}`)
  },
}

function told(it) {
  return it?.outerHTML.slice(0, 160) ?? 'nothing'
}

function isInSight(it) {
  const { x, y, right, bottom, width } = it.getBoundingClientRect()
  const isIn = width > 0 && x >= 0 && y >= 0 && right <= innerWidth && bottom <= innerHeight
  return isIn && !isCovered(it.ownerSVGElement, (x + right) / 2, (y + bottom) / 2) && it.checkVisibility({ opacityProperty: true })
}

/** Whether something with words lies over a point of a picture, as a notice does for a while, or a shape of another picture. */
function isCovered(picture, x, y) {
  const top = document.elementsFromPoint(x, y).find((it) => it instanceof SVGGraphicsElement && !(it instanceof SVGSVGElement))
  if (top && !picture.contains(top)) return true
  return [...document.querySelectorAll('p, .veil, [role=status], [role=group], dialog[open], [role=dialog]')].some((it) => {
    const box = it.getBoundingClientRect()
    const isAt = box.left <= x && x <= box.right && box.top <= y && y <= box.bottom
    return isAt && !it.contains(picture) && !picture.contains(it) && it.checkVisibility({ visibilityProperty: true })
  })
}

async function canvasOf(png) {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0))
  const picture = await createImageBitmap(new Blob([bytes]))
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext('2d')
  canvas.drawImage(picture, 0, 0)
  return canvas
}

/** The largest contrast, as WCAG reckons it, that what is left out makes anywhere in a box. */
function contrast(one, other, { x, y, width, height }) {
  const [dots, others] = [one, other].map((canvas) => canvas.getImageData(x, y, Math.ceil(width), Math.ceil(height)).data)
  let most = 1
  for (let at = 0; at < dots.length; at += 4) {
    const [less, more] = [light(dots, at), light(others, at)].sort((a, b) => a - b)
    most = Math.max(most, (more + 0.05) / (less + 0.05))
  }
  return most
}

function light(dots, at) {
  const [red, green, blue] = [...dots.slice(at, at + 3)].map((value) =>
    value <= 10 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
