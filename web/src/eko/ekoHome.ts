export { default as Form } from './EkoNew.svelte';
export { default as Settings } from './EkoSettings.svelte';
export { default as Intro } from './Intro.svelte';
export { invitation, quickTable, describeOptions } from './newgame.svelte';
