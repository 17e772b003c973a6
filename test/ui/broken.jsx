export default { broken: ( };
