export { default as Form } from './EkkoNew.svelte';
export { default as Settings } from './EkkoSettings.svelte';
export { default as Intro } from './Intro.svelte';
export { invitation, quickTable, describeOptions } from './newgame.svelte';
