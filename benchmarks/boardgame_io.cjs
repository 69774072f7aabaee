// A server of boardgame.io with a game of nine cells: node boardgame_io.cjs MODULES PORT [FOLDER]
//
// With a folder, matches are stored in its files, else in memory.
const { createRequire } = require("node:module");
const [modules, port, folder] = process.argv.slice(2);
const { FlatFile, Server } = createRequire(`${modules}/`)("boardgame.io/server");

const cells = {
  name: "cells",
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
    },
  },
  endIf: ({ G }) => (G.cells.includes(null) ? undefined : { draw: true }),
};
Server({ games: [cells], origins: [], db: folder && new FlatFile({ dir: folder }) })
  .run(Number(port))
  .then(() => console.log(`at http://127.0.0.1:${port}/`));
