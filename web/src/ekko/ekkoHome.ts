export { default as Hero } from './Hero.svelte';
export { default as Intro } from './Intro.svelte';
export { describeOptions, invitation, quickTable } from './newgame.svelte';
