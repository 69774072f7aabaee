/** What the home page shows of Ekö. */
export { default as Form } from './EkoNew.svelte';
export { default as Settings } from './panels/EkoSettings.svelte';
export { default as Intro } from './Intro.svelte';
export { invitation, quickTable, told } from './newgame.svelte';
