import './tailwind.css';
export default {};
