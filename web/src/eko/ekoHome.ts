export { default as Hero } from './Hero.svelte';
export { default as Intro } from './Intro.svelte';
export { invitation, quickTable, describeOptions } from './newgame.svelte';
