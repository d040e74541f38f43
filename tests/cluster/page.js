// Looks at a page of 'queencount status --html' in the first frame, as a reader would, and reports
// what is not as expected.
const frame = document.querySelector('iframe')
const wrong = []
const expect = (what, right) => right || wrong.push(what)

// The brightness of a colour such as rgb(20, 23, 26), from 0 to 255.
const brightness = (colour) => {
  const [red, green, blue] = colour.match(/[\d.]+/g).map(Number)
  return 0.3 * red + 0.6 * green + 0.1 * blue
}

const look = () => {
  const page = frame.contentDocument
  const style = (element) => frame.contentWindow.getComputedStyle(element)
  const all = (selector) => [...page.querySelectorAll(selector)]
  const seen = (element) => { const { width, height } = element.getBoundingClientRect(); return width > 3 && height > 3 }

  expect('it is in the mode of standards', page.compatMode === 'CSS1Compat')
  expect('it loads itself again', page.querySelector('meta[http-equiv=refresh]').content === '60')
  expect('nothing comes from elsewhere', frame.contentWindow.performance.getEntriesByType('resource').length === 0)
  expect('nothing is wider than the window', page.documentElement.scrollWidth <= frame.clientWidth)
  expect('letters are large enough to be read', all('body *').every((element) => parseFloat(style(element).fontSize) >= 12))

  const [ink, paper] = [style(page.body).color, style(page.body).backgroundColor].map(brightness)
  expect('it is light or dark as the reader wants it', expected === 'dark' ? paper < 60 : paper > 200)
  expect('letters stand out', Math.abs(ink - paper) > 150)

  const squares = all('.map i')
  expect('every shard has a square', squares.length === 100 && squares.every(seen))
  const legend = all('.legend i')
  expect('every state has a colour of its own', new Set(legend.map((element) => style(element).backgroundColor)).size === 5)
  const colours = new Map(legend.map((element) => [element.className, style(element).backgroundColor]))
  expect('squares have the colours of their states',
    squares.every((square) => style(square).backgroundColor === colours.get(square.classList[0])))
  const bar = page.querySelector('.bar')
  const filled = all('.bar b').reduce((sum, part) => sum + part.getBoundingClientRect().width, 0) / bar.getBoundingClientRect().width
  const share = parseFloat(page.title.match(/([\d.]+)% counted/)[1]) / 100
  expect('the bar is as long as the share', seen(bar) && Math.abs(filled - share) < 0.01)
  expect('names leave room for numbers', all('td:first-child').every((cell) => cell.offsetWidth < frame.clientWidth / 2))
  expect('the table has the three sites', ['lyon', 'kyoto', 'delhi'].every((site) => all('td').some((cell) => cell.innerText === site)))
  expect('flaws are named', all('.problems li').length === (share < 1 ? 3 : 0) && all('.problems li').every(seen))
  document.querySelector('#said').textContent = wrong.join('; ') || 'as expected'
}
frame.contentDocument.readyState === 'complete' && frame.contentDocument.body.children.length ? look() : (frame.onload = look)
