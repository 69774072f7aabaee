// The game of boardgame.io's own tutorial, without an end: two players fill nine cells, again and again.
const { Server } = require('boardgame.io/server')

const cells = () => Array(9).fill(null)

const game = {
  name: 'cells',
  setup: () => ({ cells: cells() }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    click({ G, playerID }, at) {
      if (G.cells[at] !== null) G.cells = cells()
      G.cells[at] = playerID
    },
  },
}

const server = Server({ games: [game], origins: ['http://127.0.0.1'] })
server.run({ port: 0 }).then(({ appServer }) => {
  console.log(`at http://127.0.0.1:${appServer.address().port}/`)
})
